//! The files that a review of games writes: the games with comments, and pictures of their curves.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::analysis::annotate::annotated;
use crate::analysis::game_review::ReviewedGame;
use crate::analysis::input::{Entry, FileGame};
use crate::analysis::{plot, report};
use crate::files::{place, with_ending};

const ANNOTATE: &str = "--annotate";
const PLOT: &str = "--plot";

/// Why a file cannot be written, or must not.
#[derive(Debug, Error)]
pub enum ReviewFileError {
    #[error("{flag}: {file} is the file that is read")]
    Source { flag: &'static str, file: String },
    #[error("{flag}: {file} is written by {other} already")]
    Twice { flag: &'static str, file: String, other: &'static str },
    #[error("{ANNOTATE}: {0} holds what a run that was cut short has done; move it away first")]
    LeftOver(String),
    #[error("{flag}: cannot write {file}: {error}")]
    Write { flag: &'static str, file: String, error: io::Error },
}

impl ReviewFileError {
    fn write(flag: &'static str, path: &Path) -> impl Fn(io::Error) -> ReviewFileError {
        move |error| ReviewFileError::Write { flag, file: path.display().to_string(), error }
    }
}

/// The files that are wanted. Each game is written as soon as it is reviewed.
pub struct ReviewFiles {
    annotations: Option<Annotations>,
    plot: Option<PathBuf>,
    has_numbers: bool,
    /// Where no picture may go.
    kept: Vec<(Keeper, PathBuf)>,
}

/// What a file is already.
#[derive(Clone, Copy)]
enum Keeper {
    Source,
    Flag(&'static str),
}

impl ReviewFiles {
    /// Tries out whether all files can be written that the first games of the source need, and changes none. The
    /// pictures get numbers if there are several games, or `has_more` says that these are not all.
    ///
    /// # Errors
    /// When one of them cannot be written, or is the source or another of them.
    pub fn open<'a>(
        annotate: Option<&Path>,
        plot: Option<&Path>,
        source: Option<&Path>,
        games: impl ExactSizeIterator<Item = &'a Entry<FileGame>>,
        has_more: bool,
    ) -> Result<ReviewFiles, ReviewFileError> {
        let has_numbers = has_more || games.len() > 1;
        let mut files =
            ReviewFiles { annotations: None, plot: plot.map(Path::to_owned), has_numbers, kept: Vec::new() };
        let plots: Vec<PathBuf> = games.filter_map(|entry| files.plot_path(&entry.content)).collect();
        let part = annotate.map(|path| with_ending(&place(path), "part"));
        let annotations = annotate.into_iter().chain(part.as_deref()).map(|path| (ANNOTATE, path));
        check_apart(source, annotations.chain(plots.iter().map(|path| (PLOT, path.as_path()))))?;
        plots.iter().try_for_each(|path| try_out(path).map_err(ReviewFileError::write(PLOT, path)))?;
        files.annotations = annotate.map(Annotations::open).transpose()?;
        let annotations = annotate.into_iter().chain(part.as_deref()).map(|path| (Keeper::Flag(ANNOTATE), place(path)));
        files.kept = source.map(|path| (Keeper::Source, place(path))).into_iter().chain(annotations).collect();
        Ok(files)
    }

    /// True if there is anything to write.
    pub fn are_wanted(&self) -> bool {
        self.annotations.is_some() || self.plot.is_some()
    }

    /// Writes what is wanted of a game; there is no picture of a game that was not begun.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&mut self, game: &ReviewedGame) -> Result<(), ReviewFileError> {
        if let Some(annotations) = &mut self.annotations {
            annotations.write(&annotated(game))?;
        }
        match self.plot_path(&game.source).filter(|_| game.is_begun()) {
            Some(path) => {
                self.check_kept(&path)?;
                fs::write(&path, plot::svg(&report::curve(game))).map_err(ReviewFileError::write(PLOT, &path))
            }
            None => Ok(()),
        }
    }

    /// A file of many games may need pictures that nobody knew of before.
    fn check_kept(&self, plot: &Path) -> Result<(), ReviewFileError> {
        let at = place(plot);
        let file = plot.display().to_string();
        match self.kept.iter().find(|(_, kept)| *kept == at) {
            None => Ok(()),
            Some((Keeper::Source, _)) => Err(ReviewFileError::Source { flag: PLOT, file }),
            Some((Keeper::Flag(other), _)) => Err(ReviewFileError::Twice { flag: PLOT, file, other }),
        }
    }

    /// True if games are written that were not reviewed.
    pub fn keep_all_games(&self) -> bool {
        self.annotations.is_some()
    }

    /// Gives the file of games its name, if a game was written to it.
    ///
    /// # Errors
    /// When it cannot have it.
    pub fn finish(self) -> Result<(), ReviewFileError> {
        self.annotations.map_or(Ok(()), Annotations::finish)
    }

    fn plot_path(&self, game: &FileGame) -> Option<PathBuf> {
        let path = self.plot.as_deref()?;
        Some(if self.has_numbers { numbered_path(path, game.number) } else { path.to_owned() })
    }
}

/// A file that grows beside its place and takes it when it is whole, so that neither a whole older file nor what is done
/// is ever lost. A device or a pipe is written to as it is.
struct Annotations {
    path: PathBuf,
    part: Option<PathBuf>,
    file: File,
    is_empty: bool,
}

impl Annotations {
    fn open(path: &Path) -> Result<Annotations, ReviewFileError> {
        // A link stays one.
        let path = place(path);
        let opened = |target: &Path| open_unchanged(target).map_err(ReviewFileError::write(ANNOTATE, &path));
        if let Ok(metadata) = fs::metadata(&path) {
            let file = opened(&path)?;
            if !metadata.is_file() {
                return Ok(Annotations { path, part: None, file, is_empty: true });
            }
        }
        let part = with_ending(&path, "part");
        let file = opened(&part)?;
        if file.metadata().is_ok_and(|metadata| metadata.len() > 0) {
            return Err(ReviewFileError::LeftOver(part.display().to_string()));
        }
        Ok(Annotations { path, part: Some(part), file, is_empty: true })
    }

    fn write(&mut self, game: &str) -> Result<(), ReviewFileError> {
        self.is_empty = false;
        self.file.write_all(game.as_bytes()).map_err(ReviewFileError::write(ANNOTATE, &self.path))
    }

    fn finish(mut self) -> Result<(), ReviewFileError> {
        // An older file is not given up for nothing.
        let Some(part) = self.part.take_if(|_| !self.is_empty) else { return Ok(()) };
        if let Ok(older) = fs::metadata(&self.path) {
            // It is the same file to its owner, who may have shut others out.
            let _ = self.file.set_permissions(older.permissions());
        }
        fs::rename(&part, &self.path).map_err(ReviewFileError::write(ANNOTATE, &self.path))
    }
}

impl Drop for Annotations {
    /// Leaves nothing behind where nothing was done.
    fn drop(&mut self) {
        if let Some(part) = self.part.take().filter(|_| self.is_empty) {
            let _ = fs::remove_file(part);
        }
    }
}

fn open_unchanged(path: &Path) -> io::Result<File> {
    File::options().create(true).write(true).truncate(false).open(path)
}

/// Opens a file as if to write it; one that is not there yet is not left behind.
fn try_out(path: &Path) -> io::Result<()> {
    let is_new = !path.exists();
    open_unchanged(path)?;
    if is_new { fs::remove_file(path) } else { Ok(()) }
}

fn check_apart<'a>(
    source: Option<&Path>,
    targets: impl Iterator<Item = (&'static str, &'a Path)>,
) -> Result<(), ReviewFileError> {
    let source = source.map(place);
    let mut taken: Vec<(&'static str, PathBuf)> = Vec::new();
    for (flag, path) in targets {
        let place = place(path);
        let file = || path.display().to_string();
        if source.as_ref() == Some(&place) {
            return Err(ReviewFileError::Source { flag, file: file() });
        }
        // Numbered pictures have different names.
        if let Some(&(other, _)) = taken.iter().find(|(other, taken)| *other != flag && *taken == place) {
            return Err(ReviewFileError::Twice { flag, file: file(), other });
        }
        taken.push((flag, place));
    }
    Ok(())
}

/// `curve.svg` becomes `curve-3.svg`.
fn numbered_path(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map(|extension| format!(".{}", extension.to_string_lossy())).unwrap_or_default();
    path.with_file_name(format!("{stem}-{number}{extension}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::input::GameReader;
    use crate::analysis::search::analyse;
    use crate::analysis::suite::Goals;
    use crate::engine::Engine;
    use crate::engine::options::Options;
    use crate::search::{Control, Limits};

    fn games_of(text: &str) -> Vec<Entry<FileGame>> {
        GameReader::new(text.as_bytes()).filter_map(|read| read.unwrap().game).collect()
    }

    #[test]
    fn plots_of_several_games_are_numbered() {
        assert_eq!(numbered_path(Path::new("a/curve.svg"), 3), Path::new("a/curve-3.svg"));
        assert_eq!(numbered_path(Path::new("curve"), 1), Path::new("curve-1"));
    }

    #[test]
    fn files_are_told_apart_by_their_place() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        fs::write(at("in.pgn"), "").unwrap();
        let games = games_of("1. e4 *\n\n1. c4 *");
        let opened = |annotate: &str, plot: &str| {
            let (annotate, plot) = (at(annotate), at(plot));
            ReviewFiles::open(Some(&annotate), Some(&plot), Some(&at("in.pgn")), games.iter(), false)
                .map(|_| ())
                .map_err(|error| error.to_string())
        };
        assert_eq!(opened("out.pgn", "out.svg"), Ok(()));
        assert_eq!(opened("x.svg", "x.svg"), Ok(()), "the pictures are x-1.svg and x-2.svg");
        for (annotate, plot, reason) in [
            ("sub/../in.pgn", "x.svg", "is the file that is read"),
            ("sub/../x-2.svg", "x.svg", "is written by --annotate already"),
            ("x.svg", "no/x.svg", "--plot: cannot write "),
        ] {
            assert!(opened(annotate, plot).unwrap_err().contains(reason), "{annotate} {plot}");
        }
        let one = &games[..1];
        let same = ReviewFiles::open(Some(&at("x")), Some(&at("x.part")), None, one.iter(), false);
        assert!(same.is_err_and(|error| error.to_string().ends_with("is written by --annotate already")));
        let names = |path: PathBuf| fs::read_dir(path).unwrap().count();
        assert_eq!((names(folder.path().to_owned()), names(at("sub"))), (2, 0), "nothing is left behind");
    }

    #[test]
    fn a_picture_of_a_late_game_replaces_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("x-2.svg"), "1. e4 *\n\n1. c4 *").unwrap();
        let games = games_of("1. e4 *\n\n1. c4 *");
        let mut files =
            ReviewFiles::open(None, Some(&at("x.svg")), Some(&at("x-2.svg")), games[..1].iter(), true).unwrap();
        let analysis = analyse(
            &mut Engine::new(Options { hash: 1, ..Options::default() }).unwrap(),
            &games[1].content.game.prefix(0),
            &Goals::default(),
            &Limits { depth: Some(1), ..Limits::default() },
            &Control::new(&Limits::default()),
            &mut |_| {},
        );
        let game = ReviewedGame::new(games[1].clone().into(), vec![Some(analysis), None]);
        assert!(files.write(&game).unwrap_err().to_string().contains("x-2.svg is the file that is read"));
        assert_eq!(fs::read_to_string(at("x-2.svg")).unwrap(), "1. e4 *\n\n1. c4 *");
    }

    #[test]
    fn what_a_run_has_left_is_not_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.pgn");
        fs::write(with_ending(&path, "part"), "1. e4 *").unwrap();
        let opened = ReviewFiles::open(Some(&path), None, None, [].iter(), false);
        assert!(opened.is_err_and(|error| error.to_string().contains("out.pgn.part holds what a run")));
        assert_eq!(fs::read_to_string(with_ending(&path, "part")).unwrap(), "1. e4 *");
    }

    #[test]
    fn an_older_file_stays_until_the_new_one_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.pgn");
        fs::write(&path, "older").unwrap();
        let games = games_of("1. e4 *");
        let game = ReviewedGame::unbegun(games[0].clone());
        ReviewFiles::open(Some(&path), None, None, games.iter(), false).unwrap().finish().unwrap();
        assert_eq!(
            (fs::read_to_string(&path).unwrap().as_str(), with_ending(&path, "part").exists()),
            ("older", false)
        );
        let mut files = ReviewFiles::open(Some(&path), None, None, games.iter(), false).unwrap();
        files.write(&game).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "older");
        assert!(fs::read_to_string(with_ending(&path, "part")).unwrap().ends_with("1. e4 *\n\n"));
        files.finish().unwrap();
        assert!(fs::read_to_string(&path).unwrap().ends_with("1. e4 *\n\n"));
        assert!(!with_ending(&path, "part").exists());
    }
}
