#!/usr/bin/env bash
# What the server costs: solves over HTTP by 1, 50 and 500 clients, agents that answer at once.
# shellcheck source=lib/build.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/build.sh"
"$bench" server "$redraft"
