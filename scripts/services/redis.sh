#!/usr/bin/env bash
# Redis 8 from Debian trixie, run with trixie's own loader and libraries. Prints its address and version.
up() {
  if [[ ! -f "$home/root/ready" ]]; then
    trixie_apt update
    trixie_apt -y -d --no-install-recommends install redis-server
    for package in "$home"/apt/cache/archives/*.deb; do dpkg -x "$package" "$home/root"; done
    touch "$home/root/ready"
  fi
  local loader libraries port
  loader="$(find "$home/root/usr/lib" -name 'ld-linux-*.so.*' | head -n 1)"
  libraries="$(dirname "$loader")"
  if [[ ! -e "$libraries/libc.so.6" ]]; then libraries="$(dirname "$(find "$home/root/usr/lib" -name libc.so.6 | head -n 1)")"; fi
  port="$(free_port)"
  rm -rf "$home/data" && mkdir -p "$home/data"
  in_background "$loader" --library-path "$libraries" "$home/root/usr/bin/redis-check-rdb" --version
  local version
  sleep 0.5 && version="$(grep -o 'v=[0-9.]*' "$home/log" | cut -c 3-)"
  in_background "$loader" --library-path "$libraries" --argv0 redis-server "$home/root/usr/bin/redis-server" \
    --port "$port" --bind 127.0.0.1 --appendonly yes --save '' --dir "$home/data"
  wait_for 30 bash -c "exec 3<>/dev/tcp/127.0.0.1/$port; echo PING >&3; read -r line <&3; [[ \$line == +PONG* ]]"
  echo "redis://127.0.0.1:$port/0 Redis ${version:-8}"
}
source "$(dirname "$0")/common.sh"
