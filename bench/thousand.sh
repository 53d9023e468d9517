#!/usr/bin/env bash
# A thousand loops at once with calls of 200 ms: wall and memory.
# shellcheck source=lib/build.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/build.sh"
missed=0
for _ in 1 2 3; do
    "$bench" thousand || missed=1
done
exit "$missed"
