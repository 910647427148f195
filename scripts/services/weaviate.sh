#!/usr/bin/env bash
# Weaviate built from its Go module. Prints its address and version.
up() {
  local version=v1.35.2
  if [[ ! -x "$home/bin/weaviate-server-$version" ]]; then
    command -v go >/dev/null || { echo "weaviate needs Go" >&2; return 1; }
    GOBIN="$home/bin" go install "github.com/weaviate/weaviate/cmd/weaviate-server@$version" >&2
    mv "$home/bin/weaviate-server" "$home/bin/weaviate-server-$version"
  fi
  local port grpc
  port="$(free_port)" grpc="$(free_port)"
  rm -rf "$home/data" && mkdir -p "$home/data"
  export AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED=true PERSISTENCE_DATA_PATH="$home/data" DEFAULT_VECTORIZER_MODULE=none
  export CLUSTER_HOSTNAME=node1 CLUSTER_ADVERTISE_ADDR=127.0.0.1 DISABLE_TELEMETRY=true GRPC_PORT="$grpc"
  export CLUSTER_GOSSIP_BIND_PORT="$(free_port)" CLUSTER_DATA_BIND_PORT="$(free_port)"
  export RAFT_PORT="$(free_port)" RAFT_INTERNAL_RPC_PORT="$(free_port)"
  in_background "$home/bin/weaviate-server-$version" --host 127.0.0.1 --port "$port" --scheme http
  wait_for 60 curl -sf "http://127.0.0.1:$port/v1/.well-known/ready"
  echo "http://127.0.0.1:$port?grpc_port=$grpc Weaviate ${version#v}"
}
source "$(dirname "$0")/common.sh"
