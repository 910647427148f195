module threadkeep.invalid/collector

go 1.25.0

require (
	github.com/open-telemetry/opentelemetry-collector-contrib/exporter/fileexporter v0.145.0
	go.opentelemetry.io/collector/otelcol v0.145.0
	go.opentelemetry.io/collector/receiver/otlpreceiver v0.145.0
	go.opentelemetry.io/collector/service v0.145.0
)
