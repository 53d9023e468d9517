#!/usr/bin/env bash
# Loops a second beside the bare rate of synced appends, on the same disk, in turns.
# shellcheck source=lib/build.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/build.sh"
"$bench" throughput "${1:-5}"
