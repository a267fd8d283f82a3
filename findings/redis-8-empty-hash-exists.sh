#!/usr/bin/env bash
#
# Redis 8.0.2: a key that has expired is gone for every command; a hash whose fields have all expired (HPEXPIRE) is not.
# Until the server sweeps fields again, some ten times a second, EXISTS says that it is there, HLEN counts its fields, and
# SET with NX is refused. A command that asks for the field removes the hash on its way, though it only reads: HEXISTS
# says no, and from then on, within the same transaction, so does EXISTS. Who keeps holders as fields with a lease each
# is told by one command that it is held, and by another that nobody holds it.
#
# Seen: "expired: string EXISTS=0, hash EXISTS=1, HLEN=1, SET NX=refused, HEXISTS=0, then EXISTS=0, SET NX=OK".
# Needs Debian or a derivative with apt-get: the server is that of Debian 13, unpacked into the temporary folder. Fails if
# the hash is gone at once in each of twenty attempts.

set -euo pipefail
folder=$(mktemp -d)
trap '[[ -z ${server:-} ]] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p lists/partial archives/partial root
archive=$(apt-get indextargets --format '$(SITE)' | head -1)
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive trixie main" > sources.list
: > status
options=(-qq -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$folder/lists"
	-o "Dir::State::status=$folder/status" -o "Dir::Cache=$folder" -o Debug::NoLocking=1 -o APT::Install-Recommends=false
	-o APT::Sandbox::User=root)
apt-get "${options[@]}" update
apt-get "${options[@]}" -y --download-only install redis-server > /dev/null
for each in archives/*.deb; do
	dpkg-deb --fsys-tarfile "$each" | tar -C root -x --wildcards './lib*' './usr/lib*' './usr/bin/*' 2>/dev/null || true
done
loader=$(find root -name 'ld-linux*' | head -1)
libraries=$(find root -name 'lib*.so*' -printf '%h\n' | sort -u | paste -sd:)

run() { exec "$loader" --library-path "$libraries" --argv0 "$1" "root/usr/bin/$2" "${@:3}"; }  # always in a subshell

run redis-server redis-check-rdb --version | grep -q 'v=8.0.2 ' || { echo "there is no Redis 8.0.2 any more"; exit 1; }
run redis-server redis-check-rdb --port 0 --unixsocket "$folder/redis" --save '' > /dev/null & server=$!
for _ in {1..50}; do [[ -S redis ]] && break; sleep 0.1; done
expected='string EXISTS=0, hash EXISTS=1, HLEN=1, SET NX=refused, HEXISTS=0, then EXISTS=0, SET NX=OK'
for _ in {1..20}; do
	replies=$({
		printf '%s\n' 'DEL hash' 'HSET hash field value' 'HPEXPIRE hash 5 FIELDS 1 field' 'SET string value PX 5'
		sleep 0.02
		printf '%s\n' MULTI 'EXISTS string' 'EXISTS hash' 'HLEN hash' 'SET hash value NX' 'HEXISTS hash field' 'EXISTS hash' \
			'SET hash value NX' EXEC
	} | run redis-cli redis-cli -s "$folder/redis" | tail -7 | paste -sd,)
	IFS=, read -r string hash count set field later again <<< "$replies"
	seen="string EXISTS=$string, hash EXISTS=$hash, HLEN=$count, SET NX=${set:-refused}, HEXISTS=$field, then EXISTS=$later, SET NX=$again"
	[[ $seen != "$expected" ]] || break
done
echo "expired: $seen"
[[ $seen == "$expected" ]]
