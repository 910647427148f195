#!/usr/bin/env bash
# Milvus Lite from PyPI, which speaks Milvus's gRPC interface. Prints its address and version.
up() {
  from_python milvus-lite==3.2.2 pymilvus setuptools
  local port
  port="$(free_port)"
  rm -rf "$home/data"
  in_background "$home/venv/bin/milvus-lite" server --data-dir "$home/data" --host 127.0.0.1 --port "$port"
  wait_for 60 bash -c "</dev/tcp/127.0.0.1/$port"
  echo "http://127.0.0.1:$port Milvus-Lite 3.2.2"
}
source "$(dirname "$0")/common.sh"
