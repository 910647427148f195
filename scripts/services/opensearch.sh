#!/usr/bin/env bash
# OpenSearch with its k-NN plugin, put together from the parts on Maven Central. Prints its address and version.
version=3.5.0
up() {
  local java
  java="$(java_21)"
  if [[ ! -f "$home/ready" ]]; then
    rm -rf "$home/lib" "$home/server"
    from_maven "$home/lib" "org.opensearch:opensearch:$version" "org.opensearch:opensearch-plugin-classloader:$version" \
      org.apache.logging.log4j:log4j-core:2.25.3 org.apache.groovy:groovy:4.0.33
    module transport-netty4 org.opensearch.transport.Netty4ModulePlugin "org.opensearch.plugin:transport-netty4-client:$version"
    module lang-painless org.opensearch.painless.PainlessModulePlugin "org.opensearch.plugin:lang-painless:$version"
    knn
    touch "$home/ready"
  fi
  local port transport
  port="$(free_port)" transport="$(free_port)"
  rm -rf "$home/server/data"
  in_background "$java" -Xms512m -Xmx512m -cp "$home/lib/*" groovy.ui.GroovyMain "$(dirname "$0")/opensearch.groovy" \
    "$home/server" "$port" "$transport"
  wait_for 120 curl -sf "http://127.0.0.1:$port/_cluster/health"
  echo "http://127.0.0.1:$port OpenSearch $version with k-NN $version.0"
}

# module NAME CLASS PART: a folder as the server's own distribution has it.
module() {
  local folder="$home/server/modules/$1"
  from_maven "$folder" "$3"
  as_module "$folder" "$home/lib"
  describe "$folder" "$1" "$2" ''
}

# The plugin as it is published, but for one of the modules it extends, transport-grpc, which is not on Maven Central for
# this version: the classes of it that the plugin names come from the nearest one.
knn() {
  local folder="$home/server/plugins/opensearch-knn"
  from_maven "$folder" org.opensearch.plugin:transport-grpc-spi:3.6.0 com.google.guava:guava:33.2.1-jre
  find "$folder" -name '*.jar' ! -name 'transport-grpc-spi-*' ! -name 'protobufs-*' ! -name 'guava-*' ! -name 'failureaccess-*' -delete
  curl -sSf -o "$home/knn.zip" "https://repo1.maven.org/maven2/org/opensearch/plugin/opensearch-knn/$version.0/opensearch-knn-$version.0.zip"
  python3 -m zipfile -e "$home/knn.zip" "$folder"
  describe "$folder" opensearch-knn org.opensearch.knn.plugin.KNNPlugin lang-painless
}

describe() {
  printf '%s\n' "description=$2" "version=$version" "name=$2" "classname=$3" java.version=21 "opensearch.version=$version" \
    "extended.plugins=$4" has.native.controller=false >"$1/plugin-descriptor.properties"
}
source "$(dirname "$0")/common.sh"
