#!/usr/bin/env bash
#
# Redisson 4.7.0: the lease of a RedissonMultiLock grows a thousandfold with each round of waiting. lock(2, SECONDS) is
# held for two seconds where the locks are free; where another has one of them for longer than the first round lasts, a
# second or two here, the two seconds are converted to milliseconds once more, and the lock is held for half an hour. The
# lock of a process that dies then stays for as long.
#
# Seen: "free: 2 s are left at most", "behind another for 4 s: 2000 s are left at most".
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if the former
# lease is longer, or the latter is not.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > pom.xml <<'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
	<modelVersion>4.0.0</modelVersion>
	<groupId>finding</groupId>
	<artifactId>finding</artifactId>
	<version>1</version>
	<dependencies>
		<dependency>
			<groupId>org.redisson</groupId>
			<artifactId>redisson</artifactId>
			<version>4.7.0</version>
		</dependency>
		<dependency>
			<groupId>org.signal</groupId>
			<artifactId>embedded-redis</artifactId>
			<version>0.9.1</version>
		</dependency>
	</dependencies>
</project>
POM
cat > Finding.java <<'JAVA'
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;

import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

import redis.embedded.RedisServer;

public class Finding {

	public static void main(String[] args) throws Exception {
		int port;
		try (ServerSocket free = new ServerSocket(0)) {
			port = free.getLocalPort();
		}
		RedisServer server = new RedisServer(port);
		server.start();
		RedissonClient ours = client(port);
		RedissonClient theirs = client(port);
		boolean seen;
		try {
			long free = left(ours, "free");
			System.out.println("free: " + free + " s are left at most");
			theirs.getLock("held 1").lock(4, TimeUnit.SECONDS);
			long behind = left(ours, "held");
			System.out.println("behind another for 4 s: " + behind + " s are left at most");
			seen = free == 2 && behind >= 1_000;
		}
		finally {
			server.stop();
		}
		System.exit(seen ? 0 : 1);
	}

	/** Of both leases, rounded up. */
	private static long left(RedissonClient client, String name) {
		RLock one = client.getLock(name + " 1");
		RLock other = client.getLock(name + " 2");
		client.getMultiLock(one, other).lock(2, TimeUnit.SECONDS);
		return (Math.max(one.remainTimeToLive(), other.remainTimeToLive()) + 999) / 1_000;
	}

	private static RedissonClient client(int port) {
		Config config = new Config();
		config.useSingleServer().setAddress("redis://127.0.0.1:" + port).setConnectionMinimumIdleSize(1)
				.setConnectionPoolSize(4);
		return Redisson.create(config);
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
