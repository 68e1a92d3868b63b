"""Drives an engine as any program does that is built on python-chess, over UCI and over XBoard's protocol.

    python3 python_chess.py ENGINE

Prints a line for each thing that works and ends with a traceback at the first that does not.
"""

import subprocess
import sys

import chess
import chess.engine
from chess.engine import Limit, Mate

from anti_king_2 import AntiKing2Board

MATE_IN_ONE = "2b1Qb1k/1p2pBpr/2p1Ap1p/8/P1P2a1P/P3P1P1/5P2/R1B2RK1 w - - 11 33"
ANTI_MATE_IN_ONE = "N2A2k1/8/8/1B3Nb1/7p/4B3/a7/R3K1R1 w Q - 0 34"
ANTI_MATED = "5k2/8/8/8/pP2n2a/6K1/6N1/6A1 w - - 0 1"
STALEMATE = "8/8/6PN/8/4B3/2pa4/k1KA4/2Q5 b - - 26 118"
# White's Anti-King may take its own pawn on d2.
OWN_CAPTURE = "rnbqkbnr/ppp1pppp/8/8/4p3/3A1a2/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def options(engine):
    assert engine.options["UCI_Variant"].var == ["anti-king-2"], engine.options["UCI_Variant"]
    assert "UCI_Chess960" not in engine.options
    engine.configure({"Hash": 8, "Threads": 2, "Move Overhead": 20})
    engine.configure({"Threads": 1, "Clear Hash": None})


def analyse(engine):
    info = engine.analyse(AntiKing2Board(), Limit(depth=6))
    assert info["depth"] == 6 and info["nodes"] > 0 and info["score"].relative.score() is not None, info
    mate = engine.analyse(AntiKing2Board(MATE_IN_ONE), Limit(depth=4))
    assert mate["score"].white() == Mate(1) and len(mate["pv"]) == 1, mate
    castles = engine.analyse(AntiKing2Board(ANTI_MATE_IN_ONE), Limit(depth=4))
    assert castles["score"].white() == Mate(1), castles


def multi_pv(engine):
    lines = engine.analyse(AntiKing2Board(), Limit(depth=5), multipv=3)
    assert [line["multipv"] for line in lines] == [1, 2, 3], lines
    assert len({line["pv"][0] for line in lines}) == 3, lines
    two = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("d6e6")]
    lines = engine.analyse(AntiKing2Board(), Limit(depth=3), multipv=5, root_moves=two)
    assert {line["pv"][0] for line in lines} == set(two), lines


def own_capture(engine):
    capture = chess.Move.from_uci("d3d2")
    assert engine.play(AntiKing2Board(OWN_CAPTURE), Limit(depth=2), root_moves=[capture]).move == capture


def play(engine):
    board = AntiKing2Board()
    for limit in (
        Limit(time=0.05),
        Limit(nodes=500),
        Limit(depth=3),
        Limit(white_clock=1.0, black_clock=1.0, white_inc=0.01, black_inc=0.01),
        Limit(white_clock=1.0, black_clock=1.0, remaining_moves=5),
        Limit(mate=1, time=0.05),
    ):
        result = engine.play(board, limit, info=chess.engine.INFO_SCORE)
        assert result.move is not None and "score" in result.info, result
        board.push(result.move)
    game = AntiKing2Board()
    while True:
        result = engine.play(game, Limit(depth=2), game="self-play", info=chess.engine.INFO_SCORE)
        if result.move is None or len(game.move_stack) > 300:
            break
        game.push(result.move)
    assert len(game.move_stack) > 10, game.move_stack


def ponder(engine):
    board = AntiKing2Board()
    # Time enough for a reply to ponder on, also on a machine that halts now and then.
    limit = Limit(white_clock=20.0, black_clock=20.0)
    for guessed in (True, False):
        result = engine.play(board, limit, ponder=True, game="ponder")
        board.push(result.move)
        assert result.ponder is not None, result
        if guessed:
            board.push(result.ponder)
        else:
            others = engine.analyse(board, Limit(depth=2), multipv=2)
            board.push(next(line["pv"][0] for line in others if line["pv"][0] != result.ponder))
    board.push(engine.play(board, limit, game="ponder").move)


def stop(engine):
    with engine.analysis(AntiKing2Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 4:
                break
        analysis.stop()
        assert analysis.wait().move is not None
    engine.ping()


def finished(engine):
    for fen, score in ((ANTI_MATED, Mate(-0)), (STALEMATE, chess.engine.Cp(0))):
        result = engine.play(AntiKing2Board(fen), Limit(depth=3), info=chess.engine.INFO_SCORE)
        assert result.move is None and result.info["score"].relative == score, result


def xboard_options(engine):
    engine.configure({"memory": 8, "cores": 2})
    engine.configure({"cores": 1})


def legal_line(command, board, line):
    """True if there is a line and the engine itself finds every move of it legal."""
    if not line:
        return False
    moves = [move.uci() for move in (*board.move_stack, *line)]
    words = ["d", *board.fen().split(), "moves", *moves]
    return subprocess.run([*command, *words], capture_output=True).returncode == 0


def xboard_analyse(engine, command):
    board = AntiKing2Board()
    info = engine.analyse(board, Limit(depth=6))
    assert info["depth"] >= 6 and info["nodes"] > 0 and info["score"].relative.score() is not None, info
    assert len(info["pv"]) > 1 and legal_line(command, board, info["pv"]), info
    for fen in (MATE_IN_ONE, ANTI_MATE_IN_ONE):
        mate = engine.analyse(AntiKing2Board(fen), Limit(mate=1))
        assert mate["score"].white() == Mate(1) and len(mate["pv"]) == 1, mate
        assert legal_line(command, AntiKing2Board(fen), mate["pv"]), mate
    with engine.analysis(AntiKing2Board(OWN_CAPTURE)) as analysis:
        for info in analysis:
            assert legal_line(command, AntiKing2Board(OWN_CAPTURE), info["pv"]), info
            if info["depth"] >= 6:
                break
        analysis.stop()
        assert analysis.wait().move is not None


def xboard_play(engine, command):
    board = AntiKing2Board()
    for limit in (
        Limit(time=0.05),
        Limit(depth=3),
        Limit(white_clock=1.0, black_clock=1.0, white_inc=0.01, black_inc=0.01),
        Limit(white_clock=1.0, black_clock=1.0, remaining_moves=5),
    ):
        result = engine.play(board, limit, info=chess.engine.INFO_ALL)
        assert result.move is not None and "score" in result.info, result
        assert result.info["pv"][0] == result.move and legal_line(command, board, result.info["pv"]), result
        board.push(result.move)
    # Taken back, and another move: the engine is told by `undo`.
    board.pop()
    board.push(next(move for move in (chess.Move.from_uci(text) for text in ("a7a6", "h7h6")) if move != result.move))
    assert engine.play(board, Limit(depth=3)).move is not None
    game = AntiKing2Board()
    while True:
        result = engine.play(game, Limit(depth=2), game="self-play", info=chess.engine.INFO_ALL)
        if result.move is None or len(game.move_stack) > 300:
            break
        assert legal_line(command, game, result.info["pv"]), (game.move_stack, result)
        game.push(result.move)
    assert len(game.move_stack) > 10, game.move_stack
    engine.send_game_result(game, winner=not game.turn, game_ending="it was so")


def xboard_ponder(engine):
    board = AntiKing2Board()
    limit = Limit(white_clock=20.0, black_clock=20.0)
    for _ in range(2):
        result = engine.play(board, limit, ponder=True, game="ponder", info=chess.engine.INFO_ALL)
        assert result.ponder is not None, result
        board.push(result.move)
        board.push(result.ponder)


def xboard_refuses(engine):
    """An engine that has no legal position is no player of the one before."""
    orthodox = AntiKing2Board(chess.STARTING_FEN)
    try:
        engine.play(orthodox, Limit(depth=2), game="orthodox")
    except chess.engine.EngineError as error:
        assert "illegal position" in str(error), error
    else:
        raise AssertionError("a position without Anti-Kings is played")
    assert engine.play(AntiKing2Board(), Limit(depth=2)).move is not None


def main(command):
    with chess.engine.SimpleEngine.popen_uci(command, timeout=60) as engine:
        for check in (options, analyse, multi_pv, own_capture, play, ponder, stop, finished):
            check(engine)
            print(f"{check.__name__}: works")
    with chess.engine.SimpleEngine.popen_xboard(command, timeout=60) as engine:
        checks = [
            lambda: xboard_options(engine),
            lambda: xboard_analyse(engine, command),
            lambda: xboard_play(engine, command),
            lambda: xboard_ponder(engine),
            lambda: xboard_refuses(engine),
        ]
        for check, name in zip(checks, ("options", "analyse", "play", "ponder", "refused position")):
            check()
            print(f"xboard {name}: works")
    print("quit: works")


if __name__ == "__main__":
    main(sys.argv[1:])
