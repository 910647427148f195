#!/usr/bin/env bash
# Debian's PostgreSQL, with pgvector for those who keep vectors in it too. Prints its address and version.
exec env SERVICE_NAME=postgres "$(dirname "$0")/pgvector.sh" "$@"
