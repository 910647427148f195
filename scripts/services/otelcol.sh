#!/usr/bin/env bash
# The OpenTelemetry collector with its OTLP receiver and its file exporter, built from their Go modules. Prints its address
# for HTTP, that for gRPC, and the file that everything arrives in.
up() {
  local source binary="$home/collector-0.145.0"
  source="$(dirname "$(realpath "$0")")/otelcol"
  if [[ ! -x "$binary" ]]; then
    command -v go >/dev/null || { echo "the collector needs Go 1.25 or newer" >&2; return 1; }
    rm -rf "$home/source" && cp -r "$source" "$home/source"
    # Tests of the modules ask for more than can be had everywhere; what is built does not.
    (cd "$home/source" && go mod tidy -e && CGO_ENABLED=0 go build -o "$binary" .) >&2
    rm -rf "$home/source"
  fi
  local http grpc
  http="$(free_port)" grpc="$(free_port)"
  rm -f "$home/received.jsonl"
  cat >"$home/config.yaml" <<CONFIG
receivers:
  otlp:
    protocols:
      http: { endpoint: "127.0.0.1:$http" }
      grpc: { endpoint: "127.0.0.1:$grpc" }
exporters:
  file: { path: "$home/received.jsonl", flush_interval: 200ms }
service:
  telemetry:
    metrics: { level: none }
    logs: { level: warn }
  pipelines:
    traces: { receivers: [otlp], exporters: [file] }
    metrics: { receivers: [otlp], exporters: [file] }
CONFIG
  in_background "$binary" --config "file:$home/config.yaml"
  wait_for 30 bash -c "exec 3<>/dev/tcp/127.0.0.1/$http"
  wait_for 30 bash -c "exec 3<>/dev/tcp/127.0.0.1/$grpc"
  echo "http://127.0.0.1:$http http://127.0.0.1:$grpc $home/received.jsonl"
}
source "$(dirname "$0")/common.sh"
