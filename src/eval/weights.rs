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
        material: [t(12, 115), t(77, 172), t(40, 130), t(109, 196), t(276, 402)],
        bishop_pair: t(49, -5),
        placement: [
            // Pawn
            [
                     t(-9, 0),      t(-6, 0),      t(-3, 0),       t(0, 0),
                    t(-5, -6),    t(-6, -27),     t(-8, 20),    t(-16, -1),
                   t(-9, -12),   t(-14, -34),      t(-9, 8),    t(-17, -9),
                     t(-6, 7),      t(3, -2),     t(17, 29),      t(24, 8),
                     t(18, 7),     t(23, 19),     t(25, 52),     t(38, 18),
                    t(28, 32),     t(27, 82),     t(33, 44),     t(25, 45),
                   t(72, -35),     t(46, 96),    t(-71, 86),     t(24, 71),
                     t(-9, 0),      t(-6, 0),      t(-3, 0),       t(0, 0),
            ],
            // Knight
            [
                 t(-121, -81),   t(-24, -17),    t(-76, 31),     t(0, -94),
                   t(-38, 14),   t(-16, -70),   t(-25, -42),    t(-18, 22),
                  t(-14, -32),   t(-23, -16),    t(-19, -4),     t(-27, 1),
                   t(-2, -10),    t(-10, 30),     t(-2, 37),     t(-4, 45),
                     t(7, 26),     t(-3, 26),      t(8, -5),      t(4, 32),
                    t(31, 64),      t(5, 38),     t(21, -2),     t(41, 13),
                     t(13, 0),   t(-16, -53),     t(10, -4),     t(15, 26),
                    t(2, -48),     t(-6, 19),   t(-10, -32),    t(58, -46),
            ],
            // Bishop
            [
                 t(-36, -102),   t(-29, -71),    t(-35, 27),      t(1, 16),
                  t(-30, -66),    t(-29, 26),    t(-60, 39),     t(-17, 7),
                   t(-14, 20),     t(-18, 6),     t(-7, 27),    t(-27, 15),
                   t(13, -32),     t(-3, -9),   t(-10, -12),       t(3, 8),
                     t(6, -2),     t(-11, 0),     t(6, -15),    t(-21, 17),
                    t(-4, 48),       t(2, 8),      t(27, 4),     t(4, -27),
                  t(-17, -15),    t(-43, 16),    t(19, -38),    t(37, -60),
                  t(-49, -47),     t(-4, 31),   t(-24, -20),     t(-38, 9),
            ],
            // Rook
            [
                    t(-11, 2),   t(-12, -22),   t(-16, -10),   t(-33, -11),
                  t(-18, -11),    t(-45, 19),    t(-8, -36),    t(12, -32),
                  t(-23, -23),    t(-7, -25),   t(-35, -13),    t(-56, -9),
                    t(-16, 7),     t(-19, 8),   t(-40, -16),     t(-16, 4),
                   t(14, -11),     t(-12, 9),     t(-20, 7),   t(-116, 46),
                    t(2, -23),    t(11, -12),    t(11, -24),   t(-115, 30),
                     t(-6, 5),     t(11, -8),    t(16, -14),    t(17, -34),
                    t(-13, 1),      t(6, -3),     t(-29, 2),     t(21, -9),
            ],
            // Queen
            [
                  t(-29, -67),    t(-3, -76),   t(-22, -57),    t(3, -102),
                 t(-12, -112),    t(-9, -34),    t(-2, -97),     t(3, -86),
                   t(-23, 27),  t(-11, -100),    t(-8, -32),    t(-4, -35),
                   t(-19, 15),   t(-12, -35),    t(-12, 60),    t(18, -53),
                     t(2, 23),    t(-38, 70),    t(-37, 65),    t(10, -16),
                   t(-36, 74),    t(11, -57),     t(6, -13),   t(-15, -26),
                   t(-33, 34),    t(-56, 64),   t(-16, -13),    t(-42, -4),
                  t(-76, 101),    t(-25, 28),    t(-50, 41),    t(-31, 18),
            ],
            // King
            [
                   t(17, -32),    t(27, -51),    t(17, -46),    t(21, -44),
                   t(17, -35),      t(-5, 4),     t(10, -4),      t(19, 4),
                  t(-69, -25),    t(-10, 14),     t(-41, 3),    t(-30, 25),
                   t(58, -59),    t(-43, 14),    t(-74, 50),   t(-161, 41),
                     t(12, 1),   t(-101, 39),    t(-56, 29),    t(-70, 51),
                   t(67, -35),   t(-122, 37),    t(-52, 20),    t(-19, 21),
                    t(-2, -3),     t(45, 24),    t(-25, 33),    t(-14, 34),
                  t(-37, -73),     t(-1, 31),    t(-29, 14),      t(3, 19),
            ],
            // Anti-King
            [
                  t(-20, -17),   t(131, 121),     t(49, 37),    t(-87, -3),
                   t(-80, 21),    t(181, 62),    t(107, 19),    t(18, -20),
                    t(-54, 0),    t(144, 60),    t(127, 34),     t(89, 30),
                     t(11, 2),     t(94, 48),      t(88, 5),     t(66, 25),
                  t(-183, 74),      t(52, 1),    t(31, -28),    t(17, -19),
                 t(-62, -178),   t(-56, -18),   t(-11, -53),    t(-9, -55),
                  t(-136, 75),   t(-100, 70),   t(-58, -61),  t(-19, -124),
                  t(-137, 17),   t(-178, 56),   t(-84, -74),  t(-61, -159),
            ],
        ],
        mobility: [
            // Knight
            [
                    t(-1, -2),       t(2, 5),      t(9, -2),      t(11, 1),
                     t(14, 5),      t(18, 1),      t(17, 9),     t(25, -3),
                     t(8, 15),      t(27, 9),     t(30, 10),     t(33, 11),
                    t(36, 12),     t(39, 13),     t(42, 14),     t(45, 15),
                    t(48, 16),     t(51, 17),     t(54, 18),     t(57, 19),
                    t(60, 20),     t(63, 21),     t(66, 22),     t(69, 23),
                    t(72, 24),     t(75, 25),     t(78, 26),     t(81, 27),
            ],
            // Bishop
            [
                    t(0, -30),     t(7, -22),      t(8, 22),      t(9, 36),
                    t(15, 41),     t(14, 55),     t(12, 66),     t(19, 60),
                    t(15, 62),     t(13, 75),     t(11, 73),     t(10, 69),
                    t(9, 106),     t(21, 91),    t(28, 112),    t(30, 120),
                   t(32, 128),    t(34, 136),    t(36, 144),    t(38, 152),
                   t(40, 160),    t(42, 168),    t(44, 176),    t(46, 184),
                   t(48, 192),    t(50, 200),    t(52, 208),    t(54, 216),
            ],
            // Rook
            [
                    t(6, -27),     t(3, -27),       t(5, 8),      t(7, 14),
                     t(9, 31),      t(8, 40),      t(7, 45),     t(-1, 65),
                     t(4, 74),      t(3, 81),     t(-3, 79),     t(11, 90),
                    t(10, 77),     t(11, 88),      t(1, 68),    t(15, 105),
                   t(16, 112),    t(17, 119),    t(18, 126),    t(19, 133),
                   t(20, 140),    t(21, 147),    t(22, 154),    t(23, 161),
                   t(24, 168),    t(25, 175),    t(26, 182),    t(27, 189),
            ],
            // Queen
            [
                    t(6, -21),    t(-2, -12),      t(-6, 6),    t(-10, 40),
                   t(-13, 36),    t(-15, 34),    t(-14, 71),    t(-11, 56),
                    t(-8, 69),    t(-12, 56),     t(-5, 52),    t(-16, 89),
                   t(-10, 93),     t(-7, 65),    t(-10, 83),     t(-7, 84),
                   t(-24, 99),    t(-9, 103),      t(3, 80),    t(-14, 90),
                  t(-20, 105),    t(-9, 105),   t(-33, 120),   t(-23, 137),
                  t(-21, 144),   t(-23, 152),   t(-26, 155),   t(-26, 163),
            ],
        ],
        pawn_count: [
               t(41, -59),       t(8, 7),     t(-4, 38),    t(-31, 44),    t(-24, 11),
              t(-13, -21),    t(-2, -31),      t(8, -6),      t(17, 8),
        ],
        isolated_pawn: t(-3, -1),
        doubled_pawn: t(-20, -41),
        protected_pawn: t(4, -16),
        passed_pawn: [
                  t(0, 0),    t(-16, 23),    t(-19, 55),    t(-10, 64),
               t(-17, 54),     t(-8, 47),     t(-7, 85),       t(0, 0),
        ],
        blocked_passed_pawn: t(10, -78),
        rook_on_open_file: t(16, 14),
        rook_on_half_open_file: t(7, 12),
        king_shield: [t(-12, 18), t(-6, 2), t(3, -5), t(11, -22)],
        king_danger: [
                t(-2, -1),      t(2, -8),      t(0, -3),    t(-17, -4),
               t(-4, -15),    t(-35, 19),    t(-19, -2),   t(-30, -21),
               t(-29, 10),   t(-68, -16),   t(-44, -29),   t(-133, -9),
              t(-79, -58),  t(-141, -41),  t(-147, -37),  t(-169, -36),
        ],
        king_steps: [
                 t(2, -5),       t(2, 0),      t(0, 23),      t(1, 11),      t(5, 10),
                t(-2, -2),    t(-8, -10),   t(-19, -10),   t(-29, -29),
        ],
        safe_check: [t(0, 0), t(-25, -8), t(-13, -4), t(-27, -7), t(-15, -10)],
        anti_king_attackers: [
            [t(-60, -60), t(-21, -91), t(-35, -104), t(-33, 0)],
            [t(14, 28), t(4, 16), t(-8, 13), t(-25, 35)],
            [t(39, 26), t(22, 43), t(1, 75), t(7, 41)],
        ],
        anti_king_attacker: [t(4, 74), t(21, -4), t(32, 69), t(20, 21), t(9, -22)],
        anti_king_steps: [
               t(-9, -22),   t(-14, -36),   t(-10, -30),    t(-8, -10),     t(-4, -7),
                t(-3, 16),      t(-3, 9),    t(-20, 22),      t(-3, 5),
        ],
        anti_king_pawn_step: t(7, 56),
        anti_king_firm_step: t(0, -1),
        anti_king_free_step: t(-5, -12),
        anti_king_wide_step: t(-1, -2),
        anti_king_wide_pawn_step: t(-5, 7),
        anti_king_on_officer: [
               t(-124, 1),   t(-47, -36),   t(-21, -42),    t(-3, -56),     t(0, -55),
                t(2, -31),    t(23, -36),    t(22, -22),    t(-11, -3),
        ],
        anti_king_on_pawn: [
                 t(2, -9),     t(-4, 18),       t(1, 8),      t(-1, 0),     t(-4, 12),
               t(-4, -34),    t(-9, -31),     t(46, 21),       t(0, 0),
        ],
        anti_king_near_pawn: [t(32, 16), t(22, 30), t(17, 8)],
        enemy_army: [
            t(-400, -400), t(-508, -296), t(-290, -133),  t(-223, -16),
             t(-105, -19),   t(-32, -48),    t(22, -73),    t(43, -85),
              t(62, -113),    t(51, -77),    t(36, -27),      t(37, 5),
                t(19, 94),    t(14, 160),     t(10, 35),      t(1, 28),
        ],
        threat_by_pawn: t(28, 19),
        threat_by_minor: t(23, 14),
        loose_officer: t(14, 7),
        loose_pawn: t(0, 17),
        tempo: t(20, 8),
    };

    /// Every weight, for fitting them all alike.
    pub fn all_mut(&mut self) -> Vec<&mut Tapered> {
        let mut all: Vec<&mut Tapered> = Vec::new();
        all.extend(&mut self.material);
        all.push(&mut self.bishop_pair);
        all.extend(self.placement.iter_mut().flatten());
        all.extend(self.mobility.iter_mut().flatten());
        all.extend(&mut self.pawn_count);
        all.extend([&mut self.isolated_pawn, &mut self.doubled_pawn, &mut self.protected_pawn]);
        all.extend(&mut self.passed_pawn);
        all.extend([&mut self.blocked_passed_pawn, &mut self.rook_on_open_file, &mut self.rook_on_half_open_file]);
        all.extend(&mut self.king_shield);
        all.extend(&mut self.king_danger);
        all.extend(&mut self.king_steps);
        all.extend(&mut self.safe_check);
        all.extend(self.anti_king_attackers.iter_mut().flatten());
        all.extend(&mut self.anti_king_attacker);
        all.extend(&mut self.anti_king_steps);
        all.extend([&mut self.anti_king_pawn_step, &mut self.anti_king_firm_step, &mut self.anti_king_free_step]);
        all.extend([&mut self.anti_king_wide_step, &mut self.anti_king_wide_pawn_step]);
        all.extend(&mut self.anti_king_on_officer);
        all.extend(&mut self.anti_king_on_pawn);
        all.extend(&mut self.anti_king_near_pawn);
        all.extend(&mut self.enemy_army);
        all.extend([&mut self.threat_by_pawn, &mut self.threat_by_minor]);
        all.extend([&mut self.loose_officer, &mut self.loose_pawn, &mut self.tempo]);
        all
    }
}
