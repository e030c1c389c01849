#!/usr/bin/env bash
# A private Postgres in a temporary folder, on a free port of loopback. It touches no cluster of the system.
#
#   postgres.sh start FOLDER   makes the folder, where everybody may enter its parent, and the cluster; prints its URL
#   postgres.sh stop FOLDER    stops it and removes the folder
#   postgres.sh serve          prints its URL, and is gone when standard input ends: also when its parent was killed
#
# Ends with 3 where this machine has no Postgres, or only root to run it as.
set -euo pipefail

bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
[ -n "$bin" ] || bin=$(dirname "$(command -v initdb || echo /nowhere/initdb)")

# Postgres refuses to run as root.
as_owner() {
  if [ "$(id -u)" -eq 0 ]; then su postgres -s /bin/bash -c 'cd / && exec "$@"' -- bash "$@"; else "$@"; fi
}

have_postgres() {
  if [ ! -x "$bin/initdb" ]; then
    echo "postgres.sh: no initdb on this machine: install postgresql" >&2
    return 1
  fi
  if [ "$(id -u)" -eq 0 ] && ! id postgres >/dev/null 2>&1; then
    echo "postgres.sh: running as root, and there is no user postgres" >&2
    return 1
  fi
}

start() {
  local folder=$1 port
  mkdir -p "$folder"
  [ "$(id -u)" -ne 0 ] || chown postgres "$folder"
  as_owner "$bin/initdb" -D "$folder/data" -A trust -U postgres --no-sync -E UTF8 --locale=C >"$folder.log" 2>&1 ||
    { cat "$folder.log" >&2; return 1; }
  # A port that is taken costs another try.
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    port=$((20000 + RANDOM % 12000))
    if as_owner "$bin/pg_ctl" -D "$folder/data" -l "$folder/log" -w -t 30 -o "-p $port -c listen_addresses=127.0.0.1 \
      -c unix_socket_directories= -c fsync=off -c full_page_writes=off -c synchronous_commit=off -c wal_level=minimal \
      -c max_wal_senders=0 -c autovacuum=off -c shared_buffers=32MB" start >"$folder.log" 2>&1
    then
      rm -f "$folder.log"
      echo "postgres://postgres@127.0.0.1:$port/postgres"
      return 0
    fi
  done
  cat "$folder/log" >&2
  return 1
}

stop() {
  as_owner "$bin/pg_ctl" -D "$1/data" -m immediate -w stop >/dev/null 2>&1 || true
  rm -rf "$1" "$1.log"
}

case "${1:-}" in
  start) have_postgres || exit 3; start "$2" ;;
  stop) stop "$2" ;;
  serve)
    have_postgres || exit 3
    # In memory a new database takes a tenth of the time.
    [ -n "${TMPDIR:-}" ] || [ "$(stat -f -c %T /dev/shm 2>/dev/null)" != tmpfs ] || [ ! -w /dev/shm ] || TMPDIR=/dev/shm
    folder=$(mktemp -d "${TMPDIR:-/tmp}/millrace-postgres-XXXXXX")
    trap 'stop "$folder"' EXIT
    start "$folder"
    cat >/dev/null
    ;;
  *) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
