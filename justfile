# Short names for the project's chores; each is one command that also works without just.

# What must hold before a change is taken in; CI runs the same.
verify:
    cargo xtask verify

# Every test, and tidy.
test:
    cargo xtask test

# Every test, and the sweeps that take more than two minutes.
deep:
    cargo xtask test --deep

# The house rules: floors, sizes, docs, names.
tidy:
    cargo xtask tidy

# The bundled episode, from transcript to reviewed texts, in a folder of its own.
demo:
    cargo run --quiet -- demo --dir "$(mktemp -d)"

# Real transcripts through the release build, with a table of outcomes.
episodes dir="../shared/data/transcripts":
    cargo xtask episodes {{ quote(dir) }} --release

# Speed and memory; each script prints its own table.
bench:
    for script in bench/*.sh; do bash "$script" || exit 1; done
