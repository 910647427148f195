#!/usr/bin/env bash
# A Chroma server from PyPI. Prints its address and version.
up() {
  from_python chromadb==1.5.9
  local port
  port="$(free_port)"
  rm -rf "$home/data"
  in_background "$home/venv/bin/chroma" run --path "$home/data" --host 127.0.0.1 --port "$port"
  wait_for 60 curl -sf "http://127.0.0.1:$port/api/v2/heartbeat"
  echo "http://127.0.0.1:$port Chroma 1.5.9"
}
source "$(dirname "$0")/common.sh"
