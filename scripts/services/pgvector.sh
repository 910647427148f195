#!/usr/bin/env bash
# Debian's PostgreSQL with pgvector built from trixie's source package. Prints its address and version.
up() {
  local bin
  bin="$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1 || true)"
  if [[ ! -x "$bin/initdb" || ! -f "$("$bin/pg_config" --includedir-server 2>/dev/null)/postgres.h" ]]; then
    apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql postgresql-server-dev-all make gcc libc6-dev dpkg-dev >&2
    bin="$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)"
  fi
  if [[ ! -f "$(dirname "$bin")/lib/vector.so" ]]; then
    trixie_apt update
    (cd "$home" && rm -rf pgvector-* && trixie_apt source --download-only pgvector && mkdir -p source &&
      tar xzf pgvector_*.orig.tar.gz -C source --strip-components 1 &&
      make -s -C source OPTFLAGS="" PG_CONFIG="$bin/pg_config" >&2 && make -s -C source install PG_CONFIG="$bin/pg_config" >&2)
  fi
  local port data user
  port="$(free_port)" data="$(mktemp -d)"
  echo "$data" >"$home/data-folder"
  # PostgreSQL refuses to run as root.
  user="$(id -un)"
  if [[ "$user" == root ]]; then user=postgres; chown postgres "$data"; fi
  local as=(env)
  if [[ "$(id -un)" == root ]]; then as=(setpriv --reuid=postgres --regid=postgres --clear-groups env HOME="$data"); fi
  "${as[@]}" "$bin/initdb" -D "$data/db" -U postgres -A trust --no-sync >"$home/log" 2>&1
  in_background "${as[@]}" "$bin/postgres" -D "$data/db" -p "$port" -h 127.0.0.1 -k "$data" -c fsync=off
  wait_for 30 "$bin/pg_isready" -q -h 127.0.0.1 -p "$port"
  local version
  version="$("$bin/psql" -At -h 127.0.0.1 -p "$port" -U postgres -c 'CREATE EXTENSION vector; SELECT extversion FROM pg_extension WHERE extname = '"'vector'" | tail -n 1)"
  echo "postgresql://postgres@127.0.0.1:$port/postgres PostgreSQL $("$bin/postgres" -V | grep -o '[0-9.]*' | head -n 1) with pgvector $version"
}
after_stop() {
  if [[ -f "$home/data-folder" ]]; then rm -rf "$(cat "$home/data-folder")" "$home/data-folder"; fi
}
source "$(dirname "$0")/common.sh"
