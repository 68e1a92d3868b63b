use console::Style;

/// Colours for a terminal, or none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paint {
    pub enabled: bool,
}

impl Paint {
    /// No colours, for files and pipes.
    pub const PLAIN: Paint = Paint { enabled: false };

    fn apply(self, style: Style, text: &str) -> String {
        style.force_styling(self.enabled).apply_to(text).to_string()
    }

    pub fn heading(self, text: &str) -> String {
        self.apply(Style::new().bold(), text)
    }

    /// What matters less.
    pub fn faint(self, text: &str) -> String {
        self.apply(Style::new().dim(), text)
    }

    /// The Anti-Kings, which no other chess has.
    pub fn special(self, text: &str) -> String {
        self.apply(Style::new().cyan().bold(), text)
    }

    pub fn good(self, text: &str) -> String {
        self.apply(Style::new().green(), text)
    }

    pub fn doubtful(self, text: &str) -> String {
        self.apply(Style::new().yellow(), text)
    }

    pub fn bad(self, text: &str) -> String {
        self.apply(Style::new().red().bold(), text)
    }
}
