#!/usr/bin/env bash
#
# Redisson 4.7.0, RReadWriteLock: a thread that has the write lock, renewed by the watchdog, may take the read lock within
# it. When it releases the read lock, the renewal of the write lock ends too: both are one name to the watchdog, which
# does not count them as the server does. isHeldByCurrentThread() still says true; the write lock ends with
# lockWatchdogTimeout, 30 s by default, and another writes beside its holder. A write lock taken within it has no such effect.
#
# Seen: "write lock, a read lock within it released: held=true, 5 s later held=false, another writes=true", "write lock, a
# write lock within it released: held=true, 5 s later held=true, another writes=false" (lockWatchdogTimeout is 3 s here).
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if the first
# write lock is kept, or the second lost.

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

import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RReadWriteLock;
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
			RReadWriteLock reads = ours.getReadWriteLock("reads");
			RReadWriteLock writes = ours.getReadWriteLock("writes");
			seen = lost("a read lock", reads.writeLock(), reads.readLock(), theirs.getReadWriteLock("reads"))
					& !lost("a write lock", writes.writeLock(), writes.writeLock(), theirs.getReadWriteLock("writes"));
		}
		finally {
			server.stop();
		}
		System.exit(seen ? 0 : 1);
	}

	private static boolean lost(String what, RLock outer, RLock inner, RReadWriteLock another) throws Exception {
		outer.lock();
		inner.lock();
		inner.unlock();
		boolean before = outer.isHeldByCurrentThread();
		Thread.sleep(5_000);
		boolean after = outer.isHeldByCurrentThread();
		boolean theirs = another.writeLock().tryLock();
		System.out.println("write lock, " + what + " within it released: held=" + before + ", 5 s later held=" + after
				+ ", another writes=" + theirs);
		return before && !after && theirs;
	}

	private static RedissonClient client(int port) {
		Config config = new Config();
		config.setLockWatchdogTimeout(3_000);
		config.useSingleServer().setAddress("redis://127.0.0.1:" + port).setConnectionMinimumIdleSize(1)
				.setConnectionPoolSize(4);
		return Redisson.create(config);
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
