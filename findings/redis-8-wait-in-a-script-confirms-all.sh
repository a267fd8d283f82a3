#!/usr/bin/env bash
#
# Redis 8.0.2 and Valkey 8.1.1: WAIT, which counts the replicas that have the writes of its connection, may be called
# within a script (Redis 7.0 refuses it there). It answers at once, and counts every replica that is connected, also one
# that is stopped and has processed nothing: the script's inner connection wrote nothing so far, and everybody has all of
# that. WAITAOF within a script confirms the disk of the replica in the same way, and so does WAIT in the transaction with
# which a connection begins. Who takes a lock and waits for replicas in one script is told that they have it, whether they
# do or not. WAIT after the script is right.
#
# Seen: "Redis 8.0.2, replica stopped: WAIT 1 in a script=1, WAITAOF 1 1 in a script=1 1, WAIT 1 in a transaction=1, WAIT
# 1 after a script=0", and the same for Valkey 8.1.1.
# Needs Debian or a derivative with apt-get: the servers are those of Debian 13, unpacked into the temporary folder.
# Fails if one of the first three does not confirm, or the last does.

set -euo pipefail
folder=$(mktemp -d)
server= replica=
trap 'for each in $server $replica; do kill -KILL "$each"; done; rm -rf "$folder"' EXIT
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

run() { # always in a subshell
	exec "$folder/$loader" --library-path "$libraries" --argv0 "$1" "$folder/root/usr/bin/$2" "${@:3}"
}

client() { run redis-cli redis-cli -s "$@"; }

listening() { for _ in {1..50}; do [[ -S $1 ]] && return; sleep 0.1; done; }

confirmed() { # confirmed NAME BINARY VERSION
	run "$1-server" "$2" --version | grep -q "v=$3 " || { echo "there is no $1 $3 any more"; exit 1; }
	local ours=$folder/$1 theirs=$folder/$1-replica port script aof multi after
	mkdir "$ours.data" "$theirs.data"
	for _ in {1..10}; do
		port=$((20000 + RANDOM % 10000))
		run "$1-server" "$2" --bind 127.0.0.1 --port "$port" --unixsocket "$ours" --save '' --dir "$ours.data" --appendonly yes \
			--repl-diskless-sync-delay 0 > /dev/null & server=$!
		listening "$ours"
		[[ -S $ours ]] && break
	done
	run "$1-server" "$2" --port 0 --unixsocket "$theirs" --save '' --dir "$theirs.data" \
		--replicaof "127.0.0.1 $port" > /dev/null & replica=$!
	listening "$theirs"
	for _ in {1..100}; do
		[[ $(printf 'SET before 1\nWAIT 1 100\n' | client "$ours" | tail -1) == 1 ]] && break
		sleep 0.1
	done
	kill -STOP "$replica"
	script=$(client "$ours" EVAL "redis.call('SET', KEYS[1], '1') return redis.call('WAIT', 1, 1000)" 1 lock)
	aof=$(client "$ours" EVAL "redis.call('SET', KEYS[1], '2') return redis.call('WAITAOF', 1, 1, 1000)" 1 lock | xargs)
	multi=$(printf 'MULTI\nSET lock 3\nWAIT 1 1000\nEXEC\n' | client "$ours" | tail -1)
	after=$(printf 'EVAL "return redis.call([[SET]], KEYS[1], 4)" 1 lock\nWAIT 1 1000\n' | client "$ours" | tail -1)
	kill -CONT "$replica"
	kill "$replica" "$server"
	wait "$replica" "$server" || true
	server= replica=
	echo "${1^} $3, replica stopped: WAIT 1 in a script=$script, WAITAOF 1 1 in a script=$aof, WAIT 1 in a transaction=$multi," \
		"WAIT 1 after a script=$after"
	[[ $script == 1 && $aof == '1 1' && $multi == 1 && $after == 0 ]]
}

confirmed redis redis-check-rdb 8.0.2
confirmed valkey valkey-check-rdb 8.1.1
