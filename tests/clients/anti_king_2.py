"""A board for python-chess that lets its engine module drive Anti-King Chess II, over UCI and over XBoard's protocol.

python-chess cannot hold the Anti-King, so the board keeps the position that the game started from, the moves since, and
where the pieces stand now. Which moves are legal is for the engine to say; the rules are asked only where short algebraic
notation leaves open which of two pieces moves.
"""

import re

import chess

SAN = re.compile(r"([KQRBNA]?)([a-h]?)([1-8]?)x?([a-h][1-8])(?:=?([QRBN]))?[+#]?[!?]?")
CASTLING = re.compile(r"O-O(-O)?[+#]?[!?]?")
COORDINATES = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?[!?]?")

STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
KNIGHT = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
STEPS = {"r": STRAIGHT, "b": DIAGONAL, "n": KNIGHT, **dict.fromkeys("qka", STRAIGHT + DIAGONAL)}
SLIDERS = "rbq"


class AntiKing2Board(chess.Board):
    """The start of a game as a FEN, and its moves. Give it to `analyse`, `analysis` and `play`."""

    uci_variant = "anti-king-2"
    xboard_variant = "anti-king-2"
    starting_fen = "rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

    def __init__(self, fen=starting_fen, *, chess960=False):
        super().__init__(None)
        self._start = fen or self.starting_fen
        self.turn = self._start.split()[1] == "w"
        self._pieces = read_pieces(self._start.split()[0])
        self._before = []

    def __eq__(self, other):
        if not isinstance(other, AntiKing2Board):
            return NotImplemented
        return (self._start, self.move_stack) == (other._start, other.move_stack)

    def fen(self, **_options):
        """The FEN of the start of the game: the engine gets the moves beside it."""
        return self._start

    def root(self):
        return type(self)(self._start)

    def copy(self, *, stack=True):
        copied = type(self)(self._start)
        copied.turn, copied._pieces = self.turn, dict(self._pieces)
        if stack:
            copied.move_stack, copied._before = list(self.move_stack), list(self._before)
        return copied

    def outcome(self, *, claim_draw=False):
        """How a game has ended is for the engine to say."""
        return None

    def push(self, move):
        self._before.append(dict(self._pieces))
        self.move_stack.append(move)
        self.turn = not self.turn
        piece = self._pieces.pop(move.from_square, None)
        if piece is None:
            return
        origin, target = move.from_square, move.to_square
        files = chess.square_file(target) - chess.square_file(origin)
        if piece in "Kk" and abs(files) == 2:
            corner = origin + 3 if files > 0 else origin - 4
            self._pieces[(origin + target) // 2] = self._pieces.pop(corner)
        if piece in "Pp" and files and target not in self._pieces:
            self._pieces.pop(chess.square(chess.square_file(target), chess.square_rank(origin)), None)
        if move.promotion:
            letter = chess.piece_symbol(move.promotion)
            piece = letter.upper() if piece == "P" else letter
        self._pieces[target] = piece

    def pop(self):
        self.turn = not self.turn
        self._pieces = self._before.pop()
        return self.move_stack.pop()

    def parse_uci(self, uci):
        return chess.Move.from_uci(uci)

    def push_uci(self, uci):
        move = self.parse_uci(uci)
        self.push(move)
        return move

    def parse_san(self, san):
        """Reads a move in short algebraic notation or by its squares, as XBoard engines write either."""
        if COORDINATES.fullmatch(san):
            return self.parse_uci(san.rstrip("!?"))
        if castling := CASTLING.fullmatch(san):
            king = self._find("k", self.turn)
            return chess.Move(king, king - 2 if castling[1] else king + 2)
        parts = SAN.fullmatch(san)
        if not parts:
            raise chess.InvalidMoveError(f"invalid san: {san!r}")
        letter, file, rank, target = (parts[1] or "P"), parts[2], parts[3], chess.parse_square(parts[4])
        if letter == "P" and not file:
            # A pawn that captures is named by its file.
            file = parts[4][0]
        promotion = chess.PIECE_SYMBOLS.index(parts[5].lower()) if parts[5] else None
        own = letter if self.turn else letter.lower()
        origins = [
            square
            for square, piece in self._pieces.items()
            if piece == own and file in ("", chess.square_name(square)[0]) and rank in ("", chess.square_name(square)[1])
        ]
        moves = [chess.Move(origin, target, promotion) for origin in origins if self._reaches(origin, target)]
        if len(moves) > 1:
            moves = [move for move in moves if self._leaves_royals_safe(move)]
        if len(moves) != 1:
            error = chess.AmbiguousMoveError if moves else chess.IllegalMoveError
            raise error(f"{len(moves)} moves are meant by {san!r}")
        return moves[0]

    def _find(self, letter, color):
        wanted = letter.upper() if color else letter
        return next(square for square, piece in self._pieces.items() if piece == wanted)

    def _reaches(self, origin, target):
        """True if the piece on `origin` moves to `target` in its own way."""
        piece = self._pieces[origin]
        if piece not in "Pp":
            return target in self._attacked_from(origin)
        forward = 8 if piece == "P" else -8
        steps = (target - origin) // forward if (target - origin) % forward == 0 else 0
        if steps:
            first = chess.square_rank(origin) == (1 if piece == "P" else 6)
            way = [origin + forward * step for step in range(1, steps + 1)]
            return steps <= (2 if first else 1) and not any(square in self._pieces for square in way)
        return target in self._attacked_from(origin)

    def _attacked_from(self, origin):
        """The squares that the piece on `origin` attacks; those that it reaches, if it is no pawn."""
        piece = self._pieces[origin]
        if piece in "Pp":
            steps = [(-1, 1), (1, 1)] if piece == "P" else [(-1, -1), (1, -1)]
        else:
            steps = STEPS[piece.lower()]
        squares = set()
        for files, ranks in steps:
            file, rank = chess.square_file(origin) + files, chess.square_rank(origin) + ranks
            while 0 <= file < 8 and 0 <= rank < 8:
                square = chess.square(file, rank)
                squares.add(square)
                if piece.lower() not in SLIDERS or square in self._pieces:
                    break
                file, rank = file + files, rank + ranks
        return squares

    def _leaves_royals_safe(self, move):
        color, after = self.turn, self.copy(stack=False)
        after.push(move)
        enemies = [square for square, piece in after._pieces.items() if piece.isupper() != color]

        def attacked(target, powerless):
            attackers = (square for square in enemies if after._pieces[square].lower() not in powerless)
            return any(target in after._attacked_from(square) for square in attackers)

        return not attacked(after._find("k", color), "a") and attacked(after._find("a", color), "ak")


def read_pieces(placement):
    """The letters of a FEN's first field by their squares."""
    pieces = {}
    for rank, row in zip(range(7, -1, -1), placement.split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                pieces[chess.square(file, rank)] = letter
                file += 1
    return pieces
