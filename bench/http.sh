#!/usr/bin/env bash
# A thousand loops at once over real HTTP with answers of 200 ms, short prompts and long ones.
# shellcheck source=lib/build.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/build.sh"
missed=0
for how in whole stream; do
    for bytes in 0 60000; do
        "$bench" http "$how" "$bytes" || missed=1
    done
done
exit "$missed"
