use crate::engine::Interrupt;

/// What shells show for a program that SIGINT has ended.
pub const INTERRUPTED: u8 = 130;

/// The first Ctrl-C (or SIGTERM) ends what the command does, the second the process.
///
/// # Errors
/// When the signal cannot be caught.
pub fn interrupt_on_signal() -> Result<Interrupt, ctrlc::Error> {
    let interrupt = Interrupt::new();
    let raised = interrupt.clone();
    ctrlc::set_handler(move || {
        if raised.is_raised() {
            std::process::exit(INTERRUPTED.into());
        }
        raised.raise();
    })?;
    Ok(interrupt)
}
