# Builds what is measured, in release, and names it. Sourced by the scripts beside this folder.
# shellcheck shell=bash
set -euo pipefail
house="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
cd "$house"
# With BENCH_AS_BUILT set, what was built before is measured again.
if [ -z "${BENCH_AS_BUILT:-}" ]; then
    cargo build --quiet --release -p redraft-bench -p redraft
fi
built="${CARGO_TARGET_DIR:-$house/target}/release"
bench="$built/redraft-bench"
redraft="$built/redraft"
export BENCH_DIR="${BENCH_DIR:-$house/target/bench}"
mkdir -p "$BENCH_DIR"
printf '\n== %s · load %s ==\n' "$(basename "$0")" "$(cut -d' ' -f1-3 /proc/loadavg)"
