#!/usr/bin/env bash
# How often a scripted review of three iterations writes each of its files: renames onto them, by strace.
# shellcheck source=lib/build.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/build.sh"

if ! strace -o /dev/null true 2>/dev/null; then
    echo 'strace does not work here: writes are not counted'
    exit 0
fi
folder="$(mktemp -d "$BENCH_DIR/state-XXXXXX")"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >script.json <<'JSON'
[{"creator": {"done": false, "candidate": {"content": "one\n"}}},
 {"review": {"verdict": "changes_requested", "issues": [{"severity": "error", "message": "more"}]}},
 {"creator": {"done": false, "candidate": {"content": "one\n\ntwo\n"}}},
 {"review": {"verdict": "changes_requested", "issues": [{"severity": "error", "message": "more"}]}},
 {"creator": {"done": true, "candidate": {"content": "three\n"}}},
 {"review": {"verdict": "ok"}}]
JSON
"$redraft" podcast init --episode-id e1 --workspace w 2>/dev/null >&2
strace -f -y -e trace=rename,renameat,renameat2,fsync,fdatasync -o trace "$redraft" podcast review -w w \
    --asset-id description --script script.json >/dev/null 2>&1
echo 'Renames onto each file in a review of three iterations'
grep -o 'rename[a-z0-9]*(.*' trace | sed 's/.*, "\([^"]*\)".*/\1/' | sed "s|$folder/||" | sort | uniq -c
states="$(grep -c 'rename.*"[^"]*/w/state\.json"' trace || true)"
syncs="$(grep -c 'sync(' trace || true)"
log="$(grep -c 'sync(.*/journal\.db-wal>' trace || true)"
kept=MISSED
[ "$states" -le 3 ] && kept=kept
echo "state.json: $states writes in 3 iterations, at most one each: $kept"
echo "syncs of the whole command: $syncs, of them $log of the journal's log"
[ "$kept" = kept ]
