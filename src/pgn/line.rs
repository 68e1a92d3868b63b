use crate::types::Move;

/// Moves one after the other with what is said of them: those of a game, or a variation. `M` is a legal move, or one as
/// it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<M = Move> {
    /// Comments before the first move.
    pub preface: Vec<String>,
    pub moves: Vec<LineMove<M>>,
}

/// A move and what is said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMove<M = Move> {
    pub mv: M,
    /// Numeric annotation glyphs, such as 4 for a very poor move.
    pub glyphs: Vec<u8>,
    /// In their order.
    pub remarks: Vec<Remark<M>>,
}

/// What stands behind a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark<M = Move> {
    Comment(String),
    /// A line that has moves, the first of them in place of the move before it.
    Variation(Line<M>),
}

/// A move as a file has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Without the number of the move and without what judges it.
    pub text: String,
    /// Of the file, from 1.
    pub line: usize,
}

impl<M> Default for Line<M> {
    fn default() -> Line<M> {
        Line { preface: Vec::new(), moves: Vec::new() }
    }
}

impl<M> Line<M> {
    /// Says something of the last move, or of what comes where there is none yet.
    pub fn comment(&mut self, text: String) {
        match self.moves.last_mut() {
            Some(last) => last.remarks.push(Remark::Comment(text)),
            None => self.preface.push(text),
        }
    }

    /// All comments but those in variations, each with the number of moves before it.
    pub fn comments(&self) -> impl Iterator<Item = (usize, &str)> {
        let preface = self.preface.iter().map(|text| (0, text.as_str()));
        let behind = (1..).zip(&self.moves).flat_map(|(number, made)| {
            made.remarks.iter().filter_map(move |remark| match remark {
                Remark::Comment(text) => Some((number, text.as_str())),
                Remark::Variation(_) => None,
            })
        });
        preface.chain(behind)
    }

    /// All glyphs but those in variations, each with the number of moves up to the one that it judges.
    pub fn glyphs(&self) -> impl Iterator<Item = (usize, u8)> {
        (1..).zip(&self.moves).flat_map(|(number, made)| made.glyphs.iter().map(move |&glyph| (number, glyph)))
    }
}

impl<M> LineMove<M> {
    /// A move of which nothing is said.
    pub fn plain(mv: M) -> LineMove<M> {
        LineMove { mv, glyphs: Vec::new(), remarks: Vec::new() }
    }
}
