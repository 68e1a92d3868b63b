use super::tapered::{Tapered, t};

/// All numbers of the evaluation, in centipawns, from the view of the side whose men they describe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The worth of a man, by kind: pawn to queen.
    pub material: [Tapered; 5],
    /// For two bishops.
    pub bishop_pair: Tapered,
    /// By kind, then by square as White sees it, the a- to d-files of each rank from the first up (the others mirror
    /// them): what a man gains by standing there.
    pub placement: [[Tapered; 32]; 7],
    /// For knight, bishop, rook and queen: by the number of squares that the man reaches, 0 to 27.
    pub mobility: [[Tapered; 28]; 4],
    /// By the number of own pawns, 0 to 8, beside what each is worth.
    pub pawn_count: [Tapered; 9],
    /// A pawn with no own pawn on the neighbouring files.
    pub isolated_pawn: Tapered,
    /// A pawn behind another of its own.
    pub doubled_pawn: Tapered,
    /// A pawn that another protects.
    pub protected_pawn: Tapered,
    /// By relative rank: a pawn that no enemy pawn can stop.
    pub passed_pawn: [Tapered; 8],
    /// A passed pawn with an enemy man before it.
    pub blocked_passed_pawn: Tapered,
    /// A rook with no pawn on its file.
    pub rook_on_open_file: Tapered,
    /// A rook with no own pawn on its file.
    pub rook_on_half_open_file: Tapered,
    /// By the number, 0 to 3, of own pawns right before the King.
    pub king_shield: [Tapered; 4],
    /// By the enemy's attack units (see `terms::king_danger`), 0 to 15.
    pub king_danger: [Tapered; 16],
    /// By the squares, 0 to 8, to which the King can step.
    pub king_steps: [Tapered; 9],
    /// For each square from which an enemy man of this kind could check the King and not be taken by a man.
    pub safe_check: [Tapered; 5],
    /// By the enemy pawns (0 to 2) and the other enemy men (0 to 3 or more) that attack the Anti-King.
    pub anti_king_attackers: [[Tapered; 4]; 3],
    /// For each enemy man that attacks the Anti-King, by kind.
    pub anti_king_attacker: [Tapered; 5],
    /// By the number of squares to which the Anti-King can step, 0 to 8.
    pub anti_king_steps: [Tapered; 9],
    /// For each of them that an enemy pawn attacks.
    pub anti_king_pawn_step: Tapered,
    /// For each of them that two enemy men or more attack.
    pub anti_king_firm_step: Tapered,
    /// For each of them that is empty: stepping there costs no man.
    pub anti_king_free_step: Tapered,
    /// For each square two steps from the Anti-King that an enemy man attacks.
    pub anti_king_wide_step: Tapered,
    /// For each square two steps from the Anti-King that an enemy pawn attacks.
    pub anti_king_wide_pawn_step: Tapered,
    /// With one attacker, an officer: by the steps that do not depend on it, 0 to 8.
    pub anti_king_on_officer: [Tapered; 9],
    /// With one attacker, a pawn: by the steps that do not depend on it, 0 to 8.
    pub anti_king_on_pawn: [Tapered; 9],
    /// For each enemy pawn one, two or three steps from the Anti-King.
    pub anti_king_near_pawn: [Tapered; 3],
    /// By the number of enemy men besides the royals, 0 to 15: too few leave the Anti-King without attackers.
    pub enemy_army: [Tapered; 16],
    /// An enemy officer that a pawn attacks.
    pub threat_by_pawn: Tapered,
    /// An enemy rook or queen that a knight or bishop attacks.
    pub threat_by_minor: Tapered,
    /// An enemy officer that is attacked and not protected.
    pub loose_officer: Tapered,
    /// An enemy pawn that is attacked and not protected.
    pub loose_pawn: Tapered,
    /// The right to move.
    pub tempo: Tapered,
}

impl Weights {
    /// The weights that the engine plays with.
    #[rustfmt::skip]
    pub const DEFAULT: Weights = Weights {
        material: [t(8, 114), t(73, 169), t(47, 119), t(110, 191), t(270, 401)],
        bishop_pair: t(40, -3),
        placement: [
            // Pawn
            [
                     t(-9, 0),      t(-6, 0),      t(-3, 0),       t(0, 0),
                    t(-5, -2),    t(-8, -23),     t(-9, 18),    t(-20, -2),
                   t(-10, -7),   t(-13, -35),     t(-12, 5),   t(-17, -10),
                    t(-5, 10),      t(3, -1),     t(17, 27),     t(24, -1),
                    t(20, 16),     t(22, 19),     t(28, 54),     t(39, 26),
                    t(26, 42),     t(30, 65),     t(37, 47),     t(26, 31),
                   t(81, -17),     t(50, 59),    t(-77, 95),     t(21, 78),
                     t(-9, 0),      t(-6, 0),      t(-3, 0),       t(0, 0),
            ],
            // Knight
            [
                 t(-120, -98),   t(-24, -15),    t(-66, 27),    t(14, -76),
                   t(-41, 32),   t(-17, -62),   t(-22, -38),    t(-16, 15),
                  t(-12, -25),   t(-21, -13),    t(-18, -1),    t(-21, -2),
                    t(-9, -5),    t(-13, 24),     t(-5, 32),      t(0, 41),
                      t(9, 7),     t(-3, 21),       t(6, 8),      t(7, 22),
                    t(28, 65),      t(5, 33),     t(19, -9),      t(39, 6),
                    t(11, 11),   t(-12, -61),      t(3, -2),      t(18, 4),
                  t(-10, -37),      t(6, 38),   t(-19, -31),    t(32, -47),
            ],
            // Bishop
            [
                 t(-25, -115),   t(-34, -41),    t(-40, 38),    t(-12, 24),
                  t(-32, -65),    t(-32, 29),    t(-57, 37),    t(-19, 10),
                   t(-17, 24),    t(-16, 14),    t(-10, 26),    t(-27, 14),
                   t(-3, -12),     t(-6, -9),   t(-11, -10),     t(-1, 12),
                     t(2, -4),     t(-11, 7),    t(10, -18),     t(-17, 9),
                     t(1, 33),      t(5, -6),     t(34, -2),    t(12, -19),
                    t(-3, -5),     t(-43, 4),    t(23, -52),    t(40, -56),
                  t(-43, -87),      t(0, 17),   t(-20, -15),    t(-35, 13),
            ],
            // Rook
            [
                    t(-15, 0),   t(-13, -23),   t(-17, -16),    t(-37, -9),
                   t(-23, -8),    t(-49, 22),   t(-10, -31),     t(4, -31),
                  t(-21, -22),   t(-12, -17),   t(-37, -22),   t(-54, -13),
                    t(-19, 7),    t(-26, 17),   t(-32, -36),     t(-2, -3),
                   t(10, -12),      t(-9, 9),    t(-17, -6),   t(-107, 44),
                    t(8, -15),     t(-3, -4),    t(11, -21),   t(-101, 27),
                      t(0, 3),      t(9, -5),    t(18, -15),    t(21, -24),
                    t(-13, 4),      t(7, -4),    t(-18, -2),      t(7, -8),
            ],
            // Queen
            [
                  t(-22, -63),    t(-1, -79),   t(-20, -57),    t(1, -101),
                 t(-12, -110),    t(-5, -44),   t(-1, -108),    t(-2, -73),
                   t(-24, 33),    t(-9, -84),   t(-10, -25),    t(-6, -25),
                    t(-18, 8),   t(-13, -30),    t(-20, 61),    t(14, -45),
                     t(4, 12),    t(-34, 58),    t(-35, 64),      t(5, -8),
                   t(-38, 68),    t(10, -64),    t(10, -20),   t(-30, -15),
                   t(-26, 23),    t(-44, 58),   t(-23, -13),   t(-44, -13),
                   t(-67, 84),    t(-22, 38),    t(-53, 48),    t(-34, 27),
            ],
            // King
            [
                   t(14, -33),    t(22, -47),    t(11, -40),    t(11, -38),
                   t(15, -32),      t(-3, 9),       t(8, 1),      t(13, 9),
                  t(-50, -29),    t(-12, 19),     t(-32, 7),    t(-33, 27),
                   t(67, -53),    t(-52, 11),    t(-73, 48),   t(-161, 45),
                    t(23, -7),   t(-105, 33),    t(-63, 34),    t(-78, 56),
                   t(88, -34),   t(-133, 44),    t(-60, 30),    t(-18, 28),
                     t(5, -4),     t(41, 14),    t(-26, 28),    t(-14, 33),
                  t(-37, -70),       t(4, 3),    t(-28, -1),      t(17, 8),
            ],
            // Anti-King
            [
                   t(-23, -4),   t(145, 162),     t(64, 26),    t(-99, -6),
                   t(-82, 33),    t(205, 93),     t(89, 43),    t(14, -18),
                  t(-68, -20),    t(150, 55),    t(129, 35),     t(90, 31),
                   t(-10, 12),    t(102, 47),     t(95, -3),     t(68, 22),
                  t(-147, 30),      t(54, 7),    t(33, -27),    t(17, -19),
                 t(-71, -174),   t(-51, -20),   t(-10, -62),   t(-11, -52),
                  t(-148, 82),   t(-103, 51),   t(-55, -81),  t(-23, -128),
                  t(-144, 20),   t(-194, 91),   t(-87, -78),  t(-63, -199),
            ],
        ],
        mobility: [
            // Knight
            [
                   t(-4, -10),       t(3, 3),      t(8, -5),       t(9, 4),
                     t(14, 5),      t(17, 6),      t(16, 9),      t(26, 1),
                    t(11, 13),      t(27, 9),     t(30, 10),     t(33, 11),
                    t(36, 12),     t(39, 13),     t(42, 14),     t(45, 15),
                    t(48, 16),     t(51, 17),     t(54, 18),     t(57, 19),
                    t(60, 20),     t(63, 21),     t(66, 22),     t(69, 23),
                    t(72, 24),     t(75, 25),     t(78, 26),     t(81, 27),
            ],
            // Bishop
            [
                    t(3, -23),     t(8, -31),     t(10, 15),     t(11, 35),
                    t(15, 42),     t(16, 54),     t(14, 64),     t(20, 61),
                    t(16, 60),     t(13, 79),      t(8, 76),     t(15, 64),
                   t(-7, 114),     t(19, 81),    t(28, 112),    t(30, 120),
                   t(32, 128),    t(34, 136),    t(36, 144),    t(38, 152),
                   t(40, 160),    t(42, 168),    t(44, 176),    t(46, 184),
                   t(48, 192),    t(50, 200),    t(52, 208),    t(54, 216),
            ],
            // Rook
            [
                    t(3, -34),     t(2, -26),      t(7, -2),      t(8, 15),
                     t(7, 36),      t(6, 38),      t(6, 46),     t(-1, 65),
                     t(3, 76),     t(-1, 87),      t(2, 76),     t(18, 86),
                     t(8, 79),     t(19, 86),      t(0, 68),    t(15, 105),
                   t(16, 112),    t(17, 119),    t(18, 126),    t(19, 133),
                   t(20, 140),    t(21, 147),    t(22, 154),    t(23, 161),
                   t(24, 168),    t(25, 175),    t(26, 182),    t(27, 189),
            ],
            // Queen
            [
                    t(3, -36),    t(-4, -24),      t(-7, 4),    t(-12, 43),
                   t(-12, 39),    t(-14, 36),    t(-16, 84),    t(-12, 57),
                   t(-11, 82),    t(-11, 62),     t(-7, 61),    t(-17, 97),
                  t(-11, 104),     t(-5, 70),    t(-10, 83),    t(-11, 86),
                  t(-28, 108),    t(-8, 104),      t(4, 74),     t(-5, 81),
                   t(-17, 96),      t(4, 92),   t(-41, 110),   t(-25, 130),
                  t(-20, 141),   t(-22, 152),   t(-28, 151),   t(-26, 163),
            ],
        ],
        pawn_count: [
               t(78, -93),      t(9, 11),    t(-18, 52),    t(-48, 64),    t(-39, 25),
              t(-21, -23),    t(-2, -40),    t(14, -14),      t(30, 3),
        ],
        isolated_pawn: t(-4, 2),
        doubled_pawn: t(-19, -42),
        protected_pawn: t(3, -8),
        passed_pawn: [
                  t(0, 0),    t(-13, 20),    t(-22, 55),    t(-13, 64),
               t(-17, 55),    t(-12, 59),     t(-2, 82),       t(0, 0),
        ],
        blocked_passed_pawn: t(9, -82),
        rook_on_open_file: t(19, 10),
        rook_on_half_open_file: t(10, 13),
        king_shield: [t(-13, 18), t(-8, 4), t(3, -7), t(12, -23)],
        king_danger: [
                 t(-2, 0),      t(1, -7),     t(-1, -8),     t(-21, 1),
               t(-4, -10),    t(-35, 18),    t(-20, -4),   t(-41, -12),
                t(-32, 7),   t(-69, -16),   t(-40, -26),  t(-123, -22),
              t(-83, -65),  t(-137, -41),  t(-145, -36),  t(-161, -30),
        ],
        king_steps: [
                 t(4, -5),       t(5, 3),      t(3, 17),      t(2, 11),      t(5, 11),
                t(-5, -2),    t(-12, -9),   t(-21, -10),   t(-33, -28),
        ],
        safe_check: [t(0, 0), t(-27, -9), t(-11, -7), t(-27, -8), t(-16, -13)],
        anti_king_attackers: [
            [t(-60, -60), t(-21, -88), t(-37, -108), t(-36, -6)],
            [t(20, 29), t(5, 17), t(-11, 16), t(-26, 34)],
            [t(42, 25), t(21, 40), t(1, 76), t(-2, 46)],
        ],
        anti_king_attacker: [t(5, 82), t(23, 1), t(36, 75), t(26, 21), t(14, -19)],
        anti_king_steps: [
              t(-16, -30),   t(-16, -40),   t(-13, -32),   t(-10, -13),     t(-4, -5),
                  t(0, 9),     t(-2, 21),    t(-11, 34),       t(5, 5),
        ],
        anti_king_pawn_step: t(8, 53),
        anti_king_firm_step: t(0, -1),
        anti_king_free_step: t(-7, -10),
        anti_king_wide_step: t(-1, -2),
        anti_king_wide_pawn_step: t(-5, 9),
        anti_king_on_officer: [
              t(-130, 13),   t(-51, -31),   t(-22, -43),    t(-2, -56),     t(3, -54),
                t(4, -41),    t(18, -41),    t(25, -22),     t(-2, -2),
        ],
        anti_king_on_pawn: [
                 t(7, -3),     t(-7, 22),       t(3, 6),       t(0, 3),      t(-2, 4),
               t(-2, -33),    t(-4, -33),     t(41, 21),       t(0, 0),
        ],
        anti_king_near_pawn: [t(35, 10), t(23, 34), t(19, 8)],
        enemy_army: [
            t(-400, -400), t(-567, -276), t(-341, -117),  t(-181, -18),
              t(-86, -14),   t(-10, -47),    t(51, -83),    t(64, -93),
              t(75, -125),    t(58, -98),    t(36, -39),    t(33, -13),
                t(17, 74),     t(6, 155),      t(2, 76),     t(-6, 56),
        ],
        threat_by_pawn: t(26, 34),
        threat_by_minor: t(20, 17),
        loose_officer: t(13, 8),
        loose_pawn: t(1, 17),
        tempo: t(21, 8),
    };
}
