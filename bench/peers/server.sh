#!/usr/bin/env bash
# Solves by our server, by LangGraph behind HTTP and by LangGraph without HTTP, in turns, on one disk: solves a
# second, times, and ratios of neighbours. The same clients ask both servers the same question.
# shellcheck source=../lib/build.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib/build.sh"
# shellcheck source=python.sh
source "$(dirname "${BASH_SOURCE[0]}")/python.sh"

repetitions="${1:-3}"
seconds=7
results="$(mktemp -d "$BENCH_DIR/peers-XXXXXX")"
peer=
ended() {
    [ -z "$peer" ] || kill "$peer" 2>/dev/null || true
    rm -rf "$results"
}
trap ended EXIT
"$bench" question >"$results/question"

# Folders stay until all is measured: a file system that has just deleted thousands of files makes new ones slowly.
ours() { # clients
    "$bench" solves "$redraft" "$(mktemp -d "$results/ours-XXXXXX")" "$1" "$seconds"
}

behind_http() { # clients
    local folder port
    folder="$(mktemp -d "$results/peer-XXXXXX")"
    "$python" "$peers/langgraph_solve.py" serve "$folder" >"$folder/port" &
    peer=$!
    until port="$(cat "$folder/port" 2>/dev/null)" && [ -n "$port" ]; do
        kill -0 "$peer"
        sleep 0.1
    done
    "$bench" load "$port" "$1" "$seconds"
    kill "$peer"
    wait "$peer" || true
    peer=
}

without_http() { # clients
    "$python" "$peers/langgraph_solve.py" play "$(mktemp -d "$results/peer-XXXXXX")" "$1" "$seconds" \
        <"$results/question"
}

for _ in $(seq "$repetitions"); do
    for clients in 1 50; do
        ours "$clients" >>"$results/$clients.ours"
        behind_http "$clients" >>"$results/$clients.http"
        without_http "$clients" >>"$results/$clients.plain"
    done
done
"$python" "$peers/compare_solves.py" "$results"
