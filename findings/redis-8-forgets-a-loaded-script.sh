#!/usr/bin/env bash
#
# Redis 8.0.2: SCRIPT LOAD keeps a script, and since 7.4 the server forgets scripts that were sent by EVAL, all but the
# last 500. If EVAL was there first, SCRIPT LOAD replies with the digest as ever and does not keep the script: it goes
# with those of EVAL, and EVALSHA fails with NOSCRIPT. A client that begins with EVAL, as most libraries do, cannot
# make sure afterwards. Valkey 8.1.1 keeps it.
#
# Seen: "Redis 8.0.2: loaded: kept, sent by EVAL and then loaded: forgotten", "Valkey 8.1.1: loaded: kept, sent by EVAL
# and then loaded: kept".
# Needs Debian or a derivative with apt-get: the servers are those of Debian 13, unpacked into the temporary folder.
# Fails if Redis keeps the second script, or Valkey does not.

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
apt-get "${options[@]}" -y --download-only install redis-server valkey-server > /dev/null
for each in archives/*.deb; do
	dpkg-deb --fsys-tarfile "$each" | tar -C root -x --wildcards './lib*' './usr/lib*' './usr/bin/*' 2>/dev/null || true
done
loader=$(find root -name 'ld-linux*' | head -1)
libraries=$(find root -name 'lib*.so*' -printf '%h\n' | sort -u | paste -sd:)

run() { exec "$loader" --library-path "$libraries" --argv0 "$1" "root/usr/bin/$2" "${@:3}"; }  # always in a subshell

kept() { # kept NAME BINARY VERSION
	run "$1-server" "$2" --version | grep -q "v=$3 " || { echo "there is no $1 $3 any more"; exit 1; }
	run "$1-server" "$2" --port 0 --unixsocket "$folder/$1" --save '' > /dev/null & server=$!
	for _ in {1..50}; do [[ -S $1 ]] && break; sleep 0.1; done
	{
		echo 'SCRIPT LOAD "return 1001"'
		echo 'EVAL "return 1002" 0'
		echo 'SCRIPT LOAD "return 1002"'
		for ((i = 0; i < 600; i++)); do echo "EVAL \"return $i\" 0"; done
	} | run redis-cli redis-cli -s "$folder/$1" > /dev/null
	words=(forgotten kept)
	loaded=$(run redis-cli redis-cli -s "$folder/$1" SCRIPT EXISTS "$(printf 'return 1001' | sha1sum | cut -d' ' -f1)")
	both=$(run redis-cli redis-cli -s "$folder/$1" SCRIPT EXISTS "$(printf 'return 1002' | sha1sum | cut -d' ' -f1)")
	echo "${1^} $3: loaded: ${words[loaded]}, sent by EVAL and then loaded: ${words[both]}"
	kill "$server"
	server=
}

kept redis redis-check-rdb 8.0.2
[[ $loaded == 1 && $both == 0 ]]
kept valkey valkey-check-rdb 8.1.1
[[ $loaded == 1 && $both == 1 ]]
