use super::tapered::{Tapered, t};

/// All numbers of the evaluation, in centipawns, from the view of the side whose men they describe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The worth of a man, by kind: pawn to queen.
    pub material: [Tapered; 5],
    /// For two bishops.
    pub bishop_pair: Tapered,
    /// By kind, then by square as White sees it (a1 first): what a man gains by standing there.
    pub placement: [[Tapered; 64]; 7],
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
    /// By the enemy pawns (0 to 2) and the other enemy men (0 to 3 or more) that attack the Anti-King.
    pub anti_king_attackers: [[Tapered; 4]; 3],
    /// By the number of squares to which the Anti-King can step, 0 to 8.
    pub anti_king_steps: [Tapered; 9],
    /// For each of them that an enemy pawn attacks.
    pub anti_king_pawn_step: Tapered,
    /// With one attacker, an officer: by the steps that do not depend on it, 0 to 8.
    pub anti_king_on_officer: [Tapered; 9],
    /// With one attacker, a pawn: by the steps that do not depend on it, 0 to 8.
    pub anti_king_on_pawn: [Tapered; 9],
    /// For each enemy pawn within two squares of the Anti-King.
    pub anti_king_near_pawn: Tapered,
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

const NO_PLACEMENT: [Tapered; 64] = [t(0, 0); 64];

/// A placement that gains by rank and by nearness to the middle files and ranks.
const fn placed(ranks: [(i32, i32); 8], centre: (i32, i32)) -> [Tapered; 64] {
    let mut table = NO_PLACEMENT;
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square as i32 % 8, square as i32 / 8);
        let file_gain = if file < 4 { file } else { 7 - file };
        let rank_gain = if rank < 4 { rank } else { 7 - rank };
        let gain = file_gain + rank_gain - 3;
        let (middle_game, ending) = ranks[square / 8];
        table[square] = t(middle_game + gain * centre.0, ending + gain * centre.1);
        square += 1;
    }
    table
}

impl Weights {
    /// The weights that the engine plays with.
    pub const DEFAULT: Weights = Weights {
        material: [t(85, 110), t(310, 300), t(320, 310), t(460, 500), t(920, 950)],
        bishop_pair: t(25, 40),
        placement: [
            placed([(0, 0), (0, 0), (2, 2), (6, 6), (12, 14), (20, 30), (30, 60), (0, 0)], (3, 0)),
            placed([(-8, -8), (-2, -4), (4, 2), (8, 6), (10, 8), (8, 4), (0, 0), (-8, -8)], (7, 5)),
            placed([(-6, -4), (0, 0), (4, 2), (6, 4), (6, 4), (4, 2), (0, 0), (-4, -4)], (4, 3)),
            placed([(0, 0), (-2, 0), (-2, 0), (-2, 0), (0, 2), (4, 4), (12, 10), (8, 6)], (2, 0)),
            placed([(-4, -8), (0, -4), (2, 0), (2, 4), (2, 6), (2, 6), (2, 4), (0, 0)], (2, 4)),
            placed([(12, -12), (0, -4), (-16, 4), (-24, 8), (-28, 10), (-28, 10), (-28, 6), (-28, -4)], (-6, 6)),
            placed([(-10, -10), (-6, -6), (-4, -4), (0, 0), (4, 2), (8, 4), (4, 0), (-10, -6)], (2, 3)),
        ],
        mobility: [t(0, 0), t(5, 4), t(5, 4), t(2, 4), t(1, 3)],
        isolated_pawn: t(-8, -10),
        doubled_pawn: t(-6, -12),
        protected_pawn: t(7, 7),
        passed_pawn: [t(0, 0), t(2, 8), t(4, 12), t(8, 24), t(20, 45), t(40, 80), t(70, 130), t(0, 0)],
        blocked_passed_pawn: t(-6, -16),
        rook_on_open_file: t(22, 10),
        rook_on_half_open_file: t(10, 6),
        king_shield: [t(-24, 0), t(-8, 0), t(6, 0), t(14, 0)],
        king_danger: [
            t(0, 0),
            t(0, 0),
            t(-2, 0),
            t(-6, -2),
            t(-10, -4),
            t(-16, -6),
            t(-24, -8),
            t(-34, -10),
            t(-46, -14),
            t(-58, -18),
            t(-72, -22),
            t(-88, -26),
            t(-104, -30),
            t(-120, -34),
            t(-136, -38),
            t(-152, -42),
        ],
        anti_king_attackers: [
            [t(-60, -60), t(-25, -25), t(-8, -8), t(0, 0)],
            [t(-10, -6), t(2, 2), t(8, 8), t(10, 10)],
            [t(8, 10), t(12, 14), t(14, 16), t(16, 18)],
        ],
        anti_king_steps: [
            t(-40, -40),
            t(-22, -22),
            t(-10, -10),
            t(-2, -2),
            t(4, 4),
            t(8, 8),
            t(11, 11),
            t(13, 13),
            t(14, 14),
        ],
        anti_king_pawn_step: t(5, 6),
        anti_king_on_officer: [
            t(-80, -80),
            t(-45, -45),
            t(-25, -25),
            t(-12, -12),
            t(-6, -6),
            t(-2, -2),
            t(0, 0),
            t(0, 0),
            t(0, 0),
        ],
        anti_king_on_pawn: [
            t(-25, -25),
            t(-12, -12),
            t(-6, -6),
            t(-3, -3),
            t(0, 0),
            t(0, 0),
            t(0, 0),
            t(0, 0),
            t(0, 0),
        ],
        anti_king_near_pawn: t(5, 6),
        enemy_army: [
            t(-400, -400),
            t(-220, -220),
            t(-140, -140),
            t(-90, -90),
            t(-60, -60),
            t(-40, -40),
            t(-26, -26),
            t(-16, -16),
            t(-10, -10),
            t(-5, -5),
            t(0, 0),
            t(0, 0),
            t(0, 0),
            t(0, 0),
            t(0, 0),
            t(0, 0),
        ],
        threat_by_pawn: t(35, 30),
        loose_officer: t(25, 25),
        loose_pawn: t(4, 8),
        tempo: t(14, 12),
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
        all.extend(self.anti_king_attackers.iter_mut().flatten());
        all.extend(&mut self.anti_king_steps);
        all.push(&mut self.anti_king_pawn_step);
        all.extend(&mut self.anti_king_on_officer);
        all.extend(&mut self.anti_king_on_pawn);
        all.push(&mut self.anti_king_near_pawn);
        all.extend(&mut self.enemy_army);
        all.extend([&mut self.threat_by_pawn, &mut self.loose_officer, &mut self.loose_pawn, &mut self.tempo]);
        all
    }
}
