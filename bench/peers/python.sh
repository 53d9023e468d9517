# The peers' virtual environment, with the pinned versions; names its `python`. Sourced after lib/build.sh.
# shellcheck shell=bash
# shellcheck disable=SC2154 # `house` is set by lib/build.sh
peers="$house/bench/peers"
python="$peers/venv/bin/python"
if ! cmp -s "$peers/requirements.txt" "$peers/venv/installed.txt"; then
    rm -rf "$peers/venv"
    python3 -m venv "$peers/venv"
    "$peers/venv/bin/pip" install --quiet --disable-pip-version-check -r "$peers/requirements.txt"
    cp "$peers/requirements.txt" "$peers/venv/installed.txt"
fi
