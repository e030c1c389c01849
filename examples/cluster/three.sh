#!/usr/bin/env bash
# Three processes of the service on one Postgres, as three machines would run them.
#
#   DATABASE=postgres://user:password@127.0.0.1:5432/millrace examples/cluster/three.sh
#
# They listen on ports 3002, 3003 and 3004. Crawl through any of them; GET /cluster of any shows them all. Ctrl-C drains them.
set -euo pipefail

: "${DATABASE:?set DATABASE to a postgres:// URL}"
millrace="${MILLRACE:-$(dirname "$0")/../../bin/millrace}"
first="${PORT:-3002}"

# What processes of one database share: the key that seals headers, and the secret that signs webhooks.
export MILLRACE_SEAL_KEY="${MILLRACE_SEAL_KEY:-$(head -c 32 /dev/urandom | base64)}"
secret="${WEBHOOK_SECRET:-$(head -c 32 /dev/urandom | base64)}"

pids=()
stop() { kill -TERM "${pids[@]}" 2>/dev/null || true; wait || true; }
trap stop EXIT
trap 'exit 0' INT TERM

for number in 0 1 2; do
  "$millrace" serve --port "$((first + number))" --database "$DATABASE" --webhook-secret "$secret" "$@" &
  pids+=("$!")
done
# One may be killed: the others go on.
code=0
for pid in "${pids[@]}"; do wait "$pid" || code=$?; done
exit "$code"
