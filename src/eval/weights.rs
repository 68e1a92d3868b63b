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
        material: [t(38, 107), t(103, 212), t(40, 179), t(143, 288), t(364, 471)],
        bishop_pair: t(93, -29),
        placement: [
            // Pawn
            [
                     t(-9, 0),      t(-6, 0),      t(-3, 0),       t(0, 0),
                      t(3, 4),     t(2, -33),    t(-10, 19),   t(-16, -15),
                    t(7, -18),    t(-4, -31),      t(-7, 3),   t(-17, -14),
                     t(7, -4),     t(10, -8),     t(18, 20),     t(17, 16),
                    t(33, -2),     t(29, 14),     t(21, 52),     t(29, 11),
                    t(30, 58),      t(8, 81),     t(16, 66),    t(-11, 53),
                   t(71, -33),   t(-11, 131),    t(-36, 47),     t(51, 71),
                     t(-9, 0),      t(-6, 0),      t(-3, 0),       t(0, 0),
            ],
            // Knight
            [
                    t(-73, 4),   t(-16, -18),    t(-77, 43),    t(-5, -88),
                   t(-32, 43),  t(-11, -116),   t(-26, -35),     t(-2, 14),
                   t(-4, -38),   t(-16, -45),    t(-10, -1),    t(-19, -5),
                    t(-5, 28),    t(-15, 23),      t(2, 15),      t(0, 53),
                    t(17, 23),      t(0, 52),    t(-2, -16),     t(-4, 46),
                   t(-15, 23),     t(19, 36),     t(21, 20),     t(36, 25),
                    t(28, 40),   t(-16, -46),     t(13, -5),     t(15, 18),
                    t(0, -64),     t(-41, 8),   t(-31, -71),    t(33, -54),
            ],
            // Bishop
            [
                  t(-23, -71),    t(23, -73),     t(-27, 1),    t(-16, 23),
                  t(-21, -78),    t(-24, 13),    t(-58, 38),      t(-9, 7),
                   t(-11, 34),    t(-12, 52),     t(-9, 29),    t(-21, 12),
                  t(-36, -31),    t(27, -23),   t(-14, -15),      t(-8, 9),
                     t(18, 2),    t(-12, 12),     t(1, -18),     t(-1, 20),
                   t(-19, 50),     t(-17, 6),     t(72, -7),   t(-23, -37),
                  t(-27, -38),    t(-84, 12),      t(32, 1),    t(42, -31),
                  t(-63, -23),    t(-40, 10),   t(-25, -32),     t(-44, 9),
            ],
            // Rook
            [
                    t(-3, -2),   t(-12, -25),     t(4, -31),    t(-29, -9),
                   t(-2, -23),    t(-49, 19),   t(-13, -24),     t(9, -54),
                   t(-9, -51),    t(13, -47),   t(-27, -33),   t(-50, -32),
                   t(-20, 26),    t(-41, -4),     t(-31, 1),    t(-30, 23),
                   t(16, -15),   t(-21, -11),     t(-47, 3),   t(-115, 58),
                    t(6, -15),     t(10, 22),    t(18, -20),   t(-103, 39),
                    t(-4, 17),     t(-22, 2),      t(2, 31),    t(49, -14),
                   t(-16, 21),    t(-25, 21),    t(-29, 19),      t(55, 6),
            ],
            // Queen
            [
                  t(-42, -47),    t(23, -45),    t(-8, -30),    t(13, -74),
                 t(-15, -117),     t(0, -10),   t(16, -105),    t(17, -64),
                   t(-14, 23),    t(5, -134),    t(-3, -32),    t(37, -56),
                   t(-22, 35),   t(-15, -38),      t(3, 72),    t(44, -73),
                     t(5, 25),    t(-43, 84),    t(-35, 88),      t(6, 15),
                   t(-63, 40),     t(8, -16),     t(-6, 14),   t(-17, -37),
                   t(-75, 26),    t(-67, 15),    t(-7, -16),    t(-28, 37),
                   t(-95, 92),       t(3, 5),   t(-104, -7),     t(-29, 8),
            ],
            // King
            [
                  t(-10, -11),    t(26, -31),    t(36, -47),    t(33, -61),
                   t(-2, -10),      t(6, 20),    t(22, -16),    t(43, -19),
                   t(-70, -4),    t(15, -10),    t(-64, -1),     t(-28, 8),
                   t(51, -57),       t(0, 5),    t(-48, 23),   t(-155, 15),
                   t(-49, -2),   t(-100, 17),    t(-43, 20),    t(-86, 16),
                    t(10, 30),    t(-83, 58),    t(-25, -1),    t(-24, 14),
                    t(-12, 8),     t(27, 42),    t(-16, 62),    t(-26, 23),
                  t(-28, -66),    t(-17, 14),    t(-30, 23),    t(-26, 43),
            ],
            // Anti-King
            [
                  t(-16, -19),     t(1, -70),   t(-36, -59),    t(-10, 33),
                  t(-57, -23),    t(114, 32),   t(124, -13),    t(31, -20),
                  t(-26, 102),     t(97, 75),    t(114, 18),   t(115, -12),
                   t(27, -16),     t(70, 22),      t(94, 7),     t(67, 21),
                 t(-216, 119),     t(16, 47),     t(33, 11),    t(28, -22),
                  t(-66, -54),    t(-41, 54),     t(8, -58),     t(3, -49),
                   t(-69, 74),     t(-66, 8),   t(-53, -24),  t(-14, -108),
                  t(-119, 19),    t(-174, 2),   t(-94, -66),   t(-48, -83),
            ],
        ],
        mobility: [t(0, 0), t(3, 0), t(4, 7), t(0, 5), t(-1, 3)],
        isolated_pawn: t(-5, -5),
        doubled_pawn: t(-16, -49),
        protected_pawn: t(2, -22),
        passed_pawn: [
                  t(0, 0),    t(-16, 23),    t(-48, 49),    t(-27, 72),
               t(-35, 54),     t(-8, 47),     t(-4, 82),       t(0, 0),
        ],
        blocked_passed_pawn: t(6, -37),
        rook_on_open_file: t(11, 7),
        rook_on_half_open_file: t(13, -2),
        king_shield: [t(-4, 24), t(-7, 3), t(0, -4), t(7, -33)],
        king_danger: [
                 t(9, -4),      t(3, -3),      t(11, 3),    t(-13, -9),
               t(-7, -11),     t(-20, 4),     t(-21, 2),   t(-41, -13),
               t(-19, -2),    t(-69, 15),   t(-44, -58),   t(-137, -2),
             t(-112, -44),  t(-138, -36),  t(-153, -43),  t(-185, -47),
        ],
        king_steps: [
                t(9, -16),       t(9, 6),       t(7, 9),       t(7, 4),      t(8, 18),
                t(-9, -2),    t(-14, -3),    t(-43, -6),   t(-40, -22),
        ],
        safe_check: [t(0, 0), t(-35, -3), t(-5, 4), t(-21, -8), t(-17, -10)],
        anti_king_attackers: [
            [t(-60, -60), t(-19, -89), t(-30, -90), t(-13, 26)],
            [t(-12, 27), t(-10, 16), t(-3, -19), t(-8, 45)],
            [t(26, 35), t(27, 44), t(5, 63), t(48, 28)],
        ],
        anti_king_attacker: [t(-1, 27), t(7, 9), t(22, 52), t(20, -15), t(-2, -18)],
        anti_king_steps: [
               t(-18, 17),    t(-8, -28),    t(-4, -26),    t(-6, -14),     t(-5, -6),
                t(2, -22),      t(-4, 7),     t(-21, 5),     t(-26, 3),
        ],
        anti_king_pawn_step: t(3, 44),
        anti_king_firm_step: t(1, 2),
        anti_king_on_officer: [
              t(-76, -57),   t(-41, -35),   t(-28, -33),    t(-7, -53),   t(-10, -68),
               t(-22, 24),    t(16, -30),    t(53, -18),    t(-33, -7),
        ],
        anti_king_on_pawn: [
               t(11, -16),    t(-22, 51),      t(-3, 2),      t(-1, 0),    t(-5, -11),
              t(-15, -42),   t(-29, -13),     t(42, 15),       t(0, 0),
        ],
        anti_king_near_pawn: [t(17, 15), t(12, 27), t(9, -3)],
        enemy_army: [
            t(-400, -400), t(-374, -323), t(-181, -144),  t(-282, -42),
             t(-108, -60),   t(-87, -51),   t(-52, -33),   t(-34, -22),
               t(31, -63),    t(39, -50),     t(18, -2),     t(25, 23),
               t(18, 123),    t(26, 102),    t(29, -13),    t(36, -24),
        ],
        threat_by_pawn: t(30, 22),
        loose_officer: t(15, 14),
        loose_pawn: t(10, 10),
        tempo: t(17, 6),
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
