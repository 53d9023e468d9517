"""Prints the table of bench/peers/server.sh: medians with their ends, ratios of neighbours, the bound."""

import re
import sys
from pathlib import Path

from compare import show

CLIENTS = (1, 50)
# Our solves a second over the peer's, both over HTTP.
BOUND = 20
PEERS = {"http": "LangGraph, HTTP", "plain": "LangGraph, no HTTP"}


def values(path: Path, name: str) -> list[float]:
    """The values of this name in a file, in the order they were measured."""
    return [float(value) for value in re.findall(rf"{name}=([0-9.]+)", path.read_text())]


def main(folder: Path) -> int:
    """Compares; 1 when the bound was missed."""
    missed = 0
    print("Solves, durable, nodes and agents that answer at once; median (least … most)")
    print("ours always over HTTP, and with its rules, hashes and record of every call")
    for clients in CLIENTS:
        files = {name: folder / f"{clients}.{name}" for name in ("ours", *PEERS)}
        print(f"{clients} at once          solves/s · p50 ms · p99 ms")
        for name, path in files.items():
            names = ("solves_per_second", "p50_ms", "p99_ms")
            row = " · ".join(show(values(path, of)) for of in names)
            print(f"  {PEERS.get(name, 'ours, HTTP'):<20} {row}")
        for name, called in PEERS.items():
            ratio = {}
            for of in ("solves_per_second", "p50_ms"):
                pairs = zip(values(files["ours"], of), values(files[name], of), strict=True)
                ratio[of] = [a / b if of == "solves_per_second" else b / a for a, b in pairs]
            rates = ratio["solves_per_second"]
            verdict = ""
            if name == "http":
                kept = sorted(rates)[len(rates) // 2] > BOUND
                missed |= not kept
                verdict = f", above {BOUND}: {'kept' if kept else 'MISSED'}"
            print(f"  times {called}: solves/s {show(rates)}{verdict}; p50 {show(ratio['p50_ms'])}")
    print(f"the peer's last word: {files['plain'].read_text().splitlines()[-1]}")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
