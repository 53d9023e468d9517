#!/usr/bin/env bash
# How long the whole program takes to answer.
# shellcheck source=lib/build.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/build.sh"
"$bench" startup "$redraft"
