#!/usr/bin/env bash
# A thousand open streams of events: memory of the server, and whether everybody gets the last event.
# shellcheck source=lib/build.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/build.sh"
"$bench" streams "$redraft"
