//! What every front end that talks in lines needs: a thread that reads them, a way out for whole lines, a thread that
//! thinks, and the loop between the three. What the lines mean is for each [`Protocol`] to say.

mod desk;
mod output;
mod worker;

pub use desk::{Desk, Protocol, Reading, serve};
pub use output::Output;
pub use worker::{Narrator, Stop, Task, first_move};
