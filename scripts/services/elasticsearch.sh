#!/usr/bin/env bash
# Elasticsearch, put together from its parts on Maven Central: the server, which has vectors in it, and its HTTP module.
# Prints its address and version.
version=9.5.3
up() {
  local java module="$home/server/modules/transport-netty4"
  java="$(java_21)"
  if [[ ! -f "$home/ready" ]]; then
    rm -rf "$home/lib" "$home/server"
    from_maven "$home/lib" "org.elasticsearch:elasticsearch:$version" org.apache.groovy:groovy:4.0.33
    from_maven "$module" "org.elasticsearch.plugin:transport-netty4:$version"
    as_module "$module" "$home/lib"
    # Without the name of its Java module it is loaded from the class path, as the server is here.
    python3 -m zipfile -e "$module/transport-netty4-$version.jar" "$home/unpacked"
    grep -v '^modulename' "$home/unpacked/META-INF/es-plugins/transport-netty4/plugin-descriptor.properties" >"$module/plugin-descriptor.properties"
    mkdir -p "$home/server/config" "$home/server/plugins"
    touch "$home/ready"
  fi
  local port transport
  port="$(free_port)" transport="$(free_port)"
  rm -rf "$home/server/data"
  in_background "$java" -Xms512m -Xmx512m -Dlog4j2.disable.jmx=true -cp "$home/lib/*" groovy.ui.GroovyMain \
    "$(dirname "$0")/elasticsearch.groovy" "$home/server" "$port" "$transport"
  wait_for 120 curl -sf "http://127.0.0.1:$port/_cluster/health"
  echo "http://127.0.0.1:$port Elasticsearch $version"
}
source "$(dirname "$0")/common.sh"
