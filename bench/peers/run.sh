#!/usr/bin/env bash
# Ours and LangGraph's loop, in turns, on one disk: loops a second and their ratio.
# The peer runs as it ships (AsyncSqliteSaver, durability="sync"), in a virtual environment of its own here.
# shellcheck source=../lib/build.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib/build.sh"

# shellcheck source=python.sh
source "$(dirname "${BASH_SOURCE[0]}")/python.sh"

repetitions="${1:-5}"
results="$(mktemp -d "$BENCH_DIR/peers-XXXXXX")"
trap 'rm -rf "$results"' EXIT

theirs() { # order, count
    local folder
    folder="$(mktemp -d "$BENCH_DIR/peer-XXXXXX")"
    "$python" "$peers/langgraph_loop.py" "$1" "$2" "$folder"
    rm -rf "$folder"
}

for order in sequential at-once; do
    case "$order" in
        sequential) ours=200 theirs=40 ;;
        at-once) ours=1000 theirs=200 ;;
    esac
    for _ in $(seq "$repetitions"); do
        "$bench" loops "$order" "$ours" >>"$results/$order.ours"
        theirs "$order" "$theirs" >>"$results/$order.theirs"
    done
done
"$python" "$peers/compare.py" "$results"
