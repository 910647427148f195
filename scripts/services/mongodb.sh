#!/usr/bin/env bash
# FerretDB 1.24 with its SQLite back end, built from its Go module: it speaks MongoDB's protocol, and no mongod can be had
# from a package registry. Prints its address and version.
ferretdb=v1.24.0
up() {
  if [[ ! -x "$home/ferretdb" ]]; then
    if ! command -v go >/dev/null; then apt-get update -qq && apt-get install -y -qq --no-install-recommends golang >&2; fi
    # Built inside a copy of the module: its own go.mod then says which versions it needs.
    local module
    module="$(cd "$home" && GOFLAGS=-mod=mod go mod download -json "github.com/FerretDB/FerretDB@$ferretdb" |
      node -e 'let s="";process.stdin.on("data",(d)=>{s+=d}).on("end",()=>console.log(JSON.parse(s).Dir))')"
    rm -rf "$home/source" && cp -r "$module" "$home/source" && chmod -R u+w "$home/source"
    echo "$ferretdb" >"$home/source/build/version/version.txt"
    (cd "$home/source" && CGO_ENABLED=0 go build -o "$home/ferretdb" ./cmd/ferretdb) >&2
    rm -rf "$home/source"
  fi
  local port data
  port="$(free_port)" data="$(mktemp -d)"
  echo "$data" >"$home/data-folder"
  in_background env DO_NOT_TRACK=1 FERRETDB_TELEMETRY=disable "$home/ferretdb" --handler=sqlite --sqlite-url="file:$data/" \
    --state-dir="$data" --listen-addr="127.0.0.1:$port" --debug-addr=- --log-level=error
  wait_for 30 bash -c "exec 3<>/dev/tcp/127.0.0.1/$port"
  echo "mongodb://127.0.0.1:$port/ FerretDB ${ferretdb#v} with SQLite"
}
after_stop() {
  if [[ -f "$home/data-folder" ]]; then rm -rf "$(cat "$home/data-folder")" "$home/data-folder"; fi
}
source "$(dirname "$0")/common.sh"
