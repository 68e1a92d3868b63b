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
    /// For each square that a knight, bishop, rook or queen reaches, by kind index.
    pub mobility: [Tapered; 5],
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
        material: [t(21, 111), t(79, 178), t(36, 148), t(114, 220), t(282, 418)],
        bishop_pair: t(58, -6),
        placement: [
            // Pawn
            [
                     t(-9, 0),      t(-6, 0),      t(-3, 0),       t(0, 0),
                   t(-2, -12),    t(-6, -26),      t(-7, 7),     t(-18, 2),
                   t(-7, -10),   t(-16, -29),     t(-11, 5),   t(-19, -11),
                     t(-3, 3),      t(5, -5),     t(18, 20),      t(23, 3),
                     t(25, 7),     t(27, 15),     t(31, 46),     t(41, 13),
                    t(27, 46),     t(22, 90),     t(28, 52),     t(19, 61),
                   t(63, -45),    t(30, 125),    t(-70, 78),     t(47, 60),
                     t(-9, 0),      t(-6, 0),      t(-3, 0),       t(0, 0),
            ],
            // Knight
            [
                 t(-111, -37),   t(-26, -29),    t(-80, 31),    t(9, -104),
                   t(-36, 12),    t(14, -82),   t(-30, -44),    t(-18, 10),
                  t(-17, -32),   t(-24, -37),     t(-19, 1),    t(-26, -4),
                   t(-4, -17),    t(-24, 46),     t(-2, 25),     t(-6, 41),
                     t(8, 46),     t(-3, 23),       t(1, 0),     t(-1, 40),
                    t(10, 45),     t(13, 43),     t(15, 16),     t(36, 13),
                    t(27, -4),   t(-10, -40),      t(29, 7),     t(26, 51),
                   t(11, -52),     t(-38, 1),   t(-13, -41),    t(54, -51),
            ],
            // Bishop
            [
                 t(-36, -100),  t(-19, -117),     t(-37, 8),      t(7, 24),
                  t(-19, -84),    t(-32, 33),    t(-70, 35),    t(-14, 13),
                   t(-17, 28),    t(-18, 19),    t(-11, 34),    t(-27, 20),
                  t(-14, -33),      t(-6, 1),   t(-14, -21),       t(1, 6),
                    t(11, 11),     t(-21, 7),     t(4, -17),    t(-14, 15),
                    t(-8, 55),      t(12, 9),      t(35, 7),     t(0, -28),
                  t(-12, -23),    t(-31, 19),     t(22, -9),    t(48, -50),
                  t(-53, -38),     t(-6, 25),    t(-8, -25),     t(-56, 4),
            ],
            // Rook
            [
                   t(-11, -6),   t(-16, -22),   t(-12, -21),   t(-33, -19),
                  t(-11, -15),    t(-42, 20),    t(-9, -31),     t(8, -35),
                  t(-22, -36),   t(-10, -38),   t(-26, -14),   t(-61, -15),
                   t(-23, 14),     t(-23, 8),     t(-41, 2),    t(-18, 20),
                     t(6, -1),      t(-7, 4),    t(-35, 12),   t(-130, 56),
                    t(4, -29),    t(30, -14),    t(13, -28),   t(-116, 26),
                     t(-9, 9),    t(23, -14),    t(23, -12),    t(31, -38),
                    t(-24, 9),    t(-14, 13),    t(-32, 13),      t(48, 6),
            ],
            // Queen
            [
                  t(-36, -75),    t(-4, -74),   t(-21, -51),    t(6, -108),
                 t(-13, -114),   t(-10, -20),    t(1, -102),     t(1, -78),
                   t(-18, 33),  t(-10, -113),   t(-12, -39),     t(4, -42),
                   t(-22, 19),   t(-16, -17),    t(-10, 53),    t(26, -79),
                    t(-6, 33),    t(-26, 76),    t(-26, 72),     t(2, -17),
                   t(-36, 65),    t(15, -34),     t(-8, 10),    t(-8, -40),
                   t(-46, 35),    t(-59, 56),    t(-11, -7),    t(-46, 13),
                  t(-79, 110),     t(-8, 20),    t(-47, 32),     t(-41, 7),
            ],
            // King
            [
                   t(10, -27),    t(35, -47),    t(24, -50),    t(29, -62),
                   t(11, -28),       t(9, 3),    t(17, -13),    t(28, -12),
                  t(-77, -15),      t(-8, 0),     t(-54, 8),    t(-23, 13),
                   t(61, -61),     t(-45, 6),    t(-58, 49),   t(-171, 35),
                    t(-11, 9),   t(-105, 33),    t(-47, 28),    t(-69, 46),
                   t(36, -24),   t(-102, 43),    t(-39, 19),    t(-19, 23),
                   t(-11, -3),     t(40, 31),    t(-22, 53),    t(-15, 40),
                  t(-34, -73),    t(-12, 28),    t(-27, 25),    t(-13, 25),
            ],
            // Anti-King
            [
                  t(-14, -11),      t(87, 8),   t(-30, -59),    t(-61, 20),
                   t(-73, -6),    t(188, 51),     t(96, 19),    t(38, -27),
                   t(-30, 57),    t(129, 72),    t(109, 54),    t(100, 39),
                     t(22, 0),     t(97, 35),     t(94, 11),     t(73, 22),
                  t(-211, 96),     t(55, 12),    t(28, -14),    t(17, -14),
                 t(-68, -135),   t(-47, -16),    t(-8, -58),    t(-5, -63),
                  t(-102, 67),    t(-95, 68),   t(-59, -40),  t(-17, -114),
                  t(-138, 12),   t(-177, 42),   t(-89, -53),  t(-54, -128),
            ],
        ],
        mobility: [t(0, 0), t(3, 1), t(2, 8), t(1, 7), t(-1, 6)],
        isolated_pawn: t(-3, 3),
        doubled_pawn: t(-15, -49),
        protected_pawn: t(6, -15),
        passed_pawn: [
                  t(0, 0),    t(-19, 21),    t(-22, 45),    t(-15, 64),
               t(-22, 55),    t(-13, 33),     t(-9, 85),       t(0, 0),
        ],
        blocked_passed_pawn: t(13, -73),
        rook_on_open_file: t(15, 12),
        rook_on_half_open_file: t(5, 17),
        king_shield: [t(-8, 19), t(-5, 2), t(1, -9), t(8, -19)],
        king_danger: [
                 t(2, -2),      t(4, -7),       t(2, 2),    t(-18, -1),
                t(-6, -7),    t(-28, 15),    t(-16, -3),   t(-28, -30),
                t(-21, 0),   t(-70, -11),   t(-46, -36),    t(-141, 1),
              t(-88, -52),  t(-141, -40),  t(-149, -37),  t(-177, -41),
        ],
        king_steps: [
                t(7, -21),       t(3, 5),     t(-1, 22),       t(0, 8),       t(5, 9),
                t(-4, -3),    t(-10, -7),    t(-21, -5),   t(-24, -21),
        ],
        safe_check: [t(0, 0), t(-26, -7), t(-12, 1), t(-30, -4), t(-17, -7)],
        anti_king_attackers: [
            [t(-60, -60), t(-22, -85), t(-33, -101), t(-27, 6)],
            [t(6, 26), t(0, 10), t(-6, 4), t(-20, 38)],
            [t(30, 35), t(24, 45), t(6, 69), t(24, 36)],
        ],
        anti_king_attacker: [t(3, 62), t(17, -3), t(23, 65), t(25, 3), t(5, -34)],
        anti_king_steps: [
                  t(2, 3),    t(-3, -18),    t(-3, -24),    t(-6, -13),    t(-5, -21),
               t(-10, -5),     t(-14, 1),    t(-33, 11),     t(-13, 4),
        ],
        anti_king_pawn_step: t(7, 52),
        anti_king_firm_step: t(0, 3),
        anti_king_on_officer: [
              t(-118, -2),   t(-37, -42),   t(-23, -40),    t(-4, -61),    t(-1, -57),
               t(-2, -14),    t(21, -29),    t(24, -24),    t(-23, -5),
        ],
        anti_king_on_pawn: [
                t(-3, -8),    t(-10, 22),      t(-2, 6),     t(-1, -6),     t(-5, 13),
               t(-3, -37),   t(-13, -26),     t(51, 20),       t(0, 0),
        ],
        anti_king_near_pawn: [t(25, 20), t(19, 25), t(11, 7)],
        enemy_army: [
            t(-400, -400), t(-450, -302), t(-231, -137),  t(-250, -31),
              t(-97, -46),   t(-68, -56),   t(-33, -61),     t(8, -59),
               t(37, -79),    t(51, -61),     t(36, -6),     t(40, 12),
                t(23, 97),    t(20, 147),      t(16, 6),      t(17, 6),
        ],
        threat_by_pawn: t(24, 12),
        loose_officer: t(17, 13),
        loose_pawn: t(1, 14),
        tempo: t(19, 8),
    };

    /// Every weight, for fitting them all alike.
    pub fn all_mut(&mut self) -> Vec<&mut Tapered> {
        let mut all: Vec<&mut Tapered> = Vec::new();
        all.extend(&mut self.material);
        all.push(&mut self.bishop_pair);
        all.extend(self.placement.iter_mut().flatten());
        all.extend(&mut self.mobility);
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
        all.extend([&mut self.anti_king_pawn_step, &mut self.anti_king_firm_step]);
        all.extend(&mut self.anti_king_on_officer);
        all.extend(&mut self.anti_king_on_pawn);
        all.extend(&mut self.anti_king_near_pawn);
        all.extend(&mut self.enemy_army);
        all.extend([&mut self.threat_by_pawn, &mut self.loose_officer, &mut self.loose_pawn, &mut self.tempo]);
        all
    }
}
