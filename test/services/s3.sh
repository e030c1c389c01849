#!/usr/bin/env bash
# A private S3 server (Ceph's radosgw, all in memory) in a temporary folder, on free ports of loopback.
#
#   s3.sh serve    prints its URL, and is gone when standard input ends: also when its parent was killed
#
# Its key is "test", its secret "testsecret". Ends with 3 where this machine has no radosgw. It holds
# MILLRACE_TEST_S3_GB (4), and frees nothing that is written over.
set -euo pipefail
export PATH=$PATH:/usr/sbin:/sbin

for tool in radosgw radosgw-admin ceph ceph-mon ceph-mgr ceph-osd monmaptool ceph-authtool; do
  command -v "$tool" >/dev/null && continue
  echo "s3.sh: no $tool on this machine: install radosgw, ceph-mon, ceph-osd and ceph-mgr" >&2
  exit 3
done
[ "${1:-}" = serve ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }

folder=$(mktemp -d "${TMPDIR:-/tmp}/millrace-s3-XXXXXX")
daemons=()
stop() {
  [ ${#daemons[@]} -eq 0 ] || kill -9 "${daemons[@]}" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 1' TERM INT

port=$((20000 + RANDOM % 6000))
mon_port=$((port + 6000))
mkdir "$folder"/{mon,osd,mgr,rgw,log,run}
cat >"$folder/ceph.conf" <<CONF
[global]
fsid = $(cat /proc/sys/kernel/random/uuid)
mon host = v2:127.0.0.1:$mon_port
mon initial members = a
public network = 127.0.0.0/8
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
keyring = $folder/keyring
run dir = $folder/run
admin socket = $folder/run/\$name.\$pid.asok
log file = $folder/log/\$name.log
crash dir = $folder/log
mon data = $folder/mon
osd data = $folder/osd
mgr data = $folder/mgr
rgw data = $folder/rgw
osd objectstore = memstore
memstore device bytes = $((${MILLRACE_TEST_S3_GB:-4} << 30))
osd memory target = 939524096
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
osd crush update on start = false
osd class load list = *
osd class default list = *
mon allow pool size one = true
mon warn on pool no redundancy = false
mon warn on insecure global id reclaim allowed = false
mon data avail warn = 1
mgr initial modules =
rgw frontends = beast endpoint=127.0.0.1:$port
rgw thread pool size = 32
rgw enable usage log = false
CONF
conf=(-c "$folder/ceph.conf")
fsid=$(awk '/fsid/ { print $3 }' "$folder/ceph.conf")

# Daemons stay in the foreground, so that they are children of this script and nobody else's.
daemon() {
  "$@" -f >"$folder/log/$(basename "$1").out" 2>&1 &
  daemons+=($!)
}
# Asks until it is so; gives up after half a minute.
until_true() {
  for _ in $(seq 150); do
    if "$@" >/dev/null 2>&1; then return 0; fi
    sleep 0.2
  done
  echo "s3.sh: gave up waiting for: $*" >&2
  return 1
}
osd_is_up() { [[ $(ceph "${conf[@]}" osd stat) == *"1 up"* ]]; }

monmaptool --create --clobber --fsid "$fsid" --addv a "[v2:127.0.0.1:$mon_port]" "$folder/monmap" >/dev/null
ceph-authtool --create-keyring --gen-key -n mon. --cap mon 'allow *' "$folder/keyring" >/dev/null
for name in client.admin client.rgw.a osd.0 mgr.x; do
  ceph-authtool --gen-key -n "$name" --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *' "$folder/keyring" >/dev/null
done
ceph-mon "${conf[@]}" -i a --mkfs --monmap "$folder/monmap" --keyring "$folder/keyring"
daemon ceph-mon "${conf[@]}" -i a
until_true ceph "${conf[@]}" auth import -i "$folder/keyring"
daemon ceph-mgr "${conf[@]}" -i x
osd=$(cat /proc/sys/kernel/random/uuid)
ceph "${conf[@]}" osd new "$osd" >/dev/null
ceph-osd "${conf[@]}" -i 0 --mkfs --osd-uuid "$osd" >/dev/null 2>&1
daemon ceph-osd "${conf[@]}" -i 0
ceph "${conf[@]}" osd crush add osd.0 1.0 root=default host=localhost >/dev/null 2>&1 || true
until_true osd_is_up
daemon radosgw "${conf[@]}" -n client.rgw.a
radosgw-admin "${conf[@]}" user create --uid=test --display-name=test --access-key=test --secret=testsecret >/dev/null
until_true curl -sf -o /dev/null "http://127.0.0.1:$port/"
echo "http://127.0.0.1:$port"
cat >/dev/null
