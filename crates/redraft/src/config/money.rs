//! Money as whole micro-dollars, read exactly from decimal text.
//!
//! Invariant: no amount passes through a floating-point number on its way in.
//! Absent here: prices and caps.

use std::fmt;

const MICROS: u64 = 1_000_000;
const DECIMALS: usize = 6;

/// An amount in millionths of a US dollar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MicroUsd(pub(crate) u64);

/// Why a text is no amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum MoneyError {
    /// It has a minus.
    #[error("an amount cannot be negative")]
    Negative,
    /// It is infinite, not a number, has an exponent or a letter.
    #[error("expected an amount in US dollars, such as 1.50")]
    NotDecimal,
    /// It is finer than a micro-dollar.
    #[error("an amount has at most six decimals")]
    TooFine,
    /// It does not fit.
    #[error("the amount is too large")]
    TooLarge,
}

impl MicroUsd {
    /// Reads `12`, `1.5` or `0.000001`.
    ///
    /// # Errors
    /// When the text is negative, no plain decimal, finer than a micro-dollar or too large.
    pub(crate) fn parse(text: &str) -> Result<Self, MoneyError> {
        if text.starts_with('-') {
            return Err(MoneyError::Negative);
        }
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if !digits(whole) || !digits(part) {
            return Err(MoneyError::NotDecimal);
        }
        let part = part.trim_end_matches('0');
        if part.len() > DECIMALS {
            return Err(MoneyError::TooFine);
        }
        let too_large = |_| MoneyError::TooLarge;
        let micros: u64 = format!("{part:0<DECIMALS$}").parse().map_err(too_large)?;
        let whole: u64 = whole.parse().map_err(too_large)?;
        let sum = whole.checked_mul(MICROS).and_then(|whole| whole.checked_add(micros));
        sum.map(Self).ok_or(MoneyError::TooLarge)
    }
}

impl fmt::Display for MicroUsd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = format!("{:06}", self.0 % MICROS);
        let part = part.trim_end_matches('0');
        write!(f, "{}.{part:0<2}", self.0 / MICROS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_exactly() {
        for (text, micros) in [
            ("0", 0),
            ("1.5", 1_500_000),
            ("0.000001", 1),
            ("0.1000000", 100_000),
            ("20.00", 20_000_000),
        ] {
            assert_eq!(MicroUsd::parse(text), Ok(MicroUsd(micros)), "{text}");
        }
        assert_eq!(MicroUsd::parse("18446744073709.551615"), Ok(MicroUsd(u64::MAX)));
    }

    #[test]
    fn what_is_no_amount_is_refused() {
        use MoneyError::{Negative, NotDecimal, TooFine, TooLarge};
        for (text, error) in [
            ("-1", Negative),
            ("nan", NotDecimal),
            ("inf", NotDecimal),
            ("1e3", NotDecimal),
            ("1.", NotDecimal),
            ("", NotDecimal),
            ("1.0000001", TooFine),
            ("18446744073709.551616", TooLarge),
            ("99999999999999999999", TooLarge),
        ] {
            assert_eq!(MicroUsd::parse(text), Err(error), "{text}");
        }
    }

    #[test]
    fn amounts_are_shown_with_cents_at_least() {
        for (micros, text) in [(1_500_000, "1.50"), (1, "0.000001"), (20_000_000, "20.00")] {
            assert_eq!(MicroUsd(micros).to_string(), text);
        }
    }
}
