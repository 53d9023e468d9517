//! Rows of cells as lines of a terminal, each column as wide as what stands in it.
//!
//! Absent here: what stands in the cells; whoever fills them has cleaned them.

use crate::say;

/// The rows as lines, each cut to the terminal's width where there is one. Columns stand two blanks apart.
pub(crate) fn lines(rows: &[Vec<String>]) -> Vec<String> {
    padded(rows).iter().map(|line| say::fitting(line.trim_end())).collect()
}

fn padded(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |n: usize| {
        let cells = rows.iter().filter_map(|row| row.get(n));
        cells.map(|cell| say::width(cell)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(widest).collect();
    let pad = |(cell, width): (&String, &usize)| {
        format!("{cell}{}", " ".repeat(width - say::width(cell)))
    };
    let line = |row: &Vec<String>| row.iter().zip(&widths).map(pad).collect::<Vec<_>>().join("  ");
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_below_each_other_whatever_signs_they_are_of() {
        let rows =
            [["a", "字字", "x"], ["long", "b", "y"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(padded(&rows), ["a     字字  x", "long  b     y"]);
        assert!(padded(&[]).is_empty());
    }
}
