"""A board for python-chess that lets its engine module drive Anti-King Chess II.

python-chess cannot hold the Anti-King, so the board knows no rule: it keeps the position that the game started from and
the moves since, which is all that a UCI engine is told. Which moves are legal is for the engine to say.
"""

import chess


class AntiKing2Board(chess.Board):
    """The start of a game as a FEN, and its moves. Give it to `analyse`, `analysis` and `play`."""

    uci_variant = "anti-king-2"
    xboard_variant = "anti-king-2"
    starting_fen = "rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

    def __init__(self, fen=starting_fen, *, chess960=False):
        super().__init__(None)
        self._start = fen or self.starting_fen
        self.turn = self._start.split()[1] == "w"

    def fen(self, **_options):
        """The FEN of the start of the game: the engine gets the moves beside it."""
        return self._start

    def root(self):
        return type(self)(self._start)

    def copy(self, *, stack=True):
        copied = type(self)(self._start)
        if stack:
            for move in self.move_stack:
                copied.push(move)
        else:
            copied.turn = self.turn
        return copied

    def push(self, move):
        self.move_stack.append(move)
        self.turn = not self.turn

    def pop(self):
        self.turn = not self.turn
        return self.move_stack.pop()

    def parse_uci(self, uci):
        return chess.Move.from_uci(uci)

    def push_uci(self, uci):
        move = self.parse_uci(uci)
        self.push(move)
        return move
