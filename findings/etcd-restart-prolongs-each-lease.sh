#!/usr/bin/env bash
#
# etcd 3.4.23: how much of a lease is left is known to the leader's memory only, unless its experimental checkpoints are
# switched on. A server that becomes the leader, also by a restart, gives each lease its full time again, kept alive or not:
# the lock of a process that died with an hour's lease is there for another hour after each election, and where they follow
# each other sooner than the lease lasts, for ever. Keys of Redis keep the instant of their end.
#
# Seen: "lease of 20 s, never kept alive: 7 s left after 12 s, 20 s left after a restart, 20 s left after another at 29 s;
# its lock: us".
# Needs Debian with apt-get: the server is that of Debian 12, unpacked into the temporary folder. Fails if the lease is over
# after 24 s, or its lock is gone.

set -euo pipefail
folder=$(mktemp -d)
trap '[[ -z ${server:-} ]] || { kill "$server"; wait "$server"; } || true; rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p lists/partial root
archive=$(apt-get indextargets --format '$(SITE)' | sed -n 1p)
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive bookworm main" > sources.list
: > status
options=(-qq -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$folder/lists"
	-o "Dir::State::status=$folder/status" -o "Dir::Cache=$folder" -o Debug::NoLocking=1 -o APT::Sandbox::User=root)
apt-get "${options[@]}" update
apt-get "${options[@]}" download etcd-server etcd-client > /dev/null
for each in *.deb; do
	dpkg-deb --fsys-tarfile "$each" | tar -C root -x --wildcards './usr/bin/*'
done
[[ $(root/usr/bin/etcd --version) == *' 3.4.23'* ]] || { echo 'there is no etcd 3.4.23 any more'; exit 1; }
port=$((20000 + RANDOM % 10000))
client=http://127.0.0.1:$port peer=http://127.0.0.1:$((port + 10000))

ctl() { ETCDCTL_API=3 root/usr/bin/etcdctl --endpoints "$client" "$@"; }

start() {
	root/usr/bin/etcd --data-dir data --listen-client-urls "$client" --advertise-client-urls "$client" \
		--listen-peer-urls "$peer" --initial-advertise-peer-urls "$peer" --initial-cluster "default=$peer" 2> log & server=$!
	for _ in {1..200}; do ctl endpoint health &> /dev/null && break; sleep 0.1; done
}

left() { ctl lease timetolive "$lease" | sed -E 's/.*remaining\((-?[0-9]+)s\).*/\1/'; }

start
lease=$(ctl lease grant 20 | cut -d' ' -f2)
begin=$SECONDS
ctl put --lease="$lease" lock us > /dev/null
text="lease of 20 s, never kept alive:"
for i in 1 2; do
	sleep 12
	[[ $i == 2 ]] || text+=" $(left) s left after 12 s,"
	kill "$server"
	wait "$server" || true
	start
	[[ $i == 2 ]] || text+=" $(left) s left after a restart,"
done
last=$(left)
lock=$(ctl get lock --print-value-only)
echo "$text $last s left after another at $((SECONDS - begin)) s; its lock: $lock"
((SECONDS - begin >= 24 && last >= 15)) && [[ $lock == us ]]
