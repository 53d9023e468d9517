"""Prints the table of bench/peers/run.sh: medians with their ends, ratios of neighbours, the bounds."""

import re
import statistics
import sys
from pathlib import Path

BOUNDS = {"sequential": 10, "at-once": 50}


def rates(path: Path) -> list[float]:
    """The rates of a file, in the order they were measured."""
    return [float(rate) for rate in re.findall(r"loops_per_second=([0-9.]+)", path.read_text())]


def show(values: list[float]) -> str:
    """median (least … most)"""
    return f"{statistics.median(values):.1f} ({min(values):.1f} … {max(values):.1f})"


def main(folder: Path) -> int:
    """Compares; 1 when a bound was missed."""
    missed = 0
    print("Loops a second, 3 iterations, 6 instant calls, 2 KB candidates; median (least … most)")
    for order, bound in BOUNDS.items():
        ours, theirs = rates(folder / f"{order}.ours"), rates(folder / f"{order}.theirs")
        ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
        kept = statistics.median(ratios) >= bound
        missed |= not kept
        print(f"{order}\n  ours       {show(ours)}\n  LangGraph  {show(theirs)}")
        print(f"  ratio      {show(ratios)}, at least {bound}: {'kept' if kept else 'MISSED'}")
    last = (folder / "sequential.theirs").read_text().splitlines()[-1]
    print(f"the peer's last word: {last}")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
