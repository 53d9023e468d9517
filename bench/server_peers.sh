#!/usr/bin/env bash
# Solves by our server and by LangGraph, as one of the scripts of `just bench`.
exec bash "$(dirname "${BASH_SOURCE[0]}")/peers/server.sh" "$@"
