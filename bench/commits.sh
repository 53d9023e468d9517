#!/usr/bin/env bash
# Durable commits, bytes of facts and on disk; then the same commits again, as strace sees the syncs.
# shellcheck source=lib/build.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/build.sh"

"$bench" commits
if ! strace -o /dev/null true 2>/dev/null; then
    echo 'strace does not work here: syncs are not counted'
    exit 0
fi
trace="$(mktemp)"
trap 'rm -f "$trace"' EXIT
printf '\nSyncs as strace counts them: of the log (a commit each, and one whenever the log is begun anew\n'
printf 'or copied back) and of the database (copying back). A loop of 2 calls comes first, 3 commits.\n'
printf '%-22s %8s %8s %9s %9s %12s\n' loops calls commits log database 'syncs/call'
count() { # name, arguments of `loops`
    local said log database calls
    said="$(strace -f -y -e trace=fsync,fdatasync -o "$trace" "$bench" loops "${@:2}")"
    log="$(grep -c 'sync(.*/journal\.db-wal>' "$trace" || true)"
    database="$(grep -c 'sync(.*/journal\.db>' "$trace" || true)"
    calls="$(sed 's/.*calls=\([0-9]*\).*/\1/' <<<"$said")"
    printf '%-22s %8s %8s %9s %9s %12s\n' "$1" "$calls" "$(sed 's/.*commits=\([0-9]*\).*/\1/' <<<"$said")" \
        "$log" "$database" "$(awk "BEGIN { printf \"%.3f\", ($log + $database) / $calls }")"
}
for rounds in 1 3 10 50; do
    count "1 of $((2 * rounds)) calls" sequential 1 "$rounds"
done
count '100 sequential' sequential 100
count '100 at once' at-once 100
count '1000, 100 at once' at-once 1000
