//! Figures: medians with their ends, and whether a bound was kept.
//!
//! Absent here: where figures come from.

use std::fmt::Write;

/// Values of one measurement, repeated.
pub(crate) struct Series(Vec<f64>);

impl Series {
    pub(crate) fn new(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        Self(values)
    }

    pub(crate) fn median(&self) -> f64 {
        match self.0.len() {
            0 => f64::NAN,
            n if n % 2 == 1 => self.0[n / 2],
            n => f64::midpoint(self.0[n / 2 - 1], self.0[n / 2]),
        }
    }

    pub(crate) fn least(&self) -> f64 {
        self.0.first().copied().unwrap_or(f64::NAN)
    }

    pub(crate) fn most(&self) -> f64 {
        self.0.last().copied().unwrap_or(f64::NAN)
    }

    /// `median (least … most)`.
    pub(crate) fn show(&self, digits: usize) -> String {
        let mut text = String::new();
        let (median, least, most) = (self.median(), self.least(), self.most());
        let _ = write!(text, "{median:.digits$} ({least:.digits$} … {most:.digits$})");
        text
    }
}

/// One bound of the plan: `kept` or `MISSED`.
pub(crate) fn verdict(kept: bool) -> &'static str {
    if kept { "kept" } else { "MISSED" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_stands_between_the_middle_two() {
        assert_eq!(Series::new(vec![4.0, 1.0, 3.0, 2.0]).show(1), "2.5 (1.0 … 4.0)");
        assert!((Series::new(vec![9.0, 1.0, 2.0]).median() - 2.0).abs() < f64::EPSILON);
    }
}
