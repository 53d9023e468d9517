#!/usr/bin/env bash
# The peers, as one of the scripts of `just bench`.
exec bash "$(dirname "${BASH_SOURCE[0]}")/peers/run.sh" "$@"
