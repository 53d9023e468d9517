#!/usr/bin/env bash
# A thousand messages of the pair workflow through validation, ours beside Ajv, in turns; schemas compiled once.
# shellcheck source=lib/build.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/build.sh"

# The folder with Ajv in its `node_modules`: the one that is named, else the one of the deep tests; its name comes last.
ajv="${REDRAFT_AJV:-$(cargo xtask ajv | tail -n 1)}"
"$bench" messages "$ajv" "$house/bench/peers/ajv_messages.mjs" "${1:-15}"
