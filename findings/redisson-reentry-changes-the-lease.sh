#!/usr/bin/env bash
#
# Redisson 4.7.0, RLock: a re-entry changes how long the outer hold lasts, and unlocking the re-entry does not bring it
# back. An outer lock() that the watchdog renews ends after the lease of an inner lock(lease); an outer lock(5 minutes)
# ends with the watchdog's timeout after an inner lock() and unlock(). The holder goes on, and another gets the lock.
#
# Seen: "renewed, re-entered with 500 ms: 2.5 s later ours=false, another gets it=true", "5 minutes, re-entered and
# unlocked: 2.5 s later ours=false, another gets it=true" (lockWatchdogTimeout is 1 s here, 30 s by default).
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if the outer
# hold is kept.

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
			RLock renewed = ours.getLock("renewed");
			renewed.lock();
			RLock inner = ours.getLock("renewed");
			inner.lock(500, TimeUnit.MILLISECONDS);
			inner.unlock();
			Thread.sleep(2_500);
			seen = lost("renewed, re-entered with 500 ms: 2.5 s later", renewed, theirs.getLock("renewed"));

			RLock leased = ours.getLock("leased");
			leased.lock(5, TimeUnit.MINUTES);
			RLock again = ours.getLock("leased");
			again.lock();
			again.unlock();
			Thread.sleep(2_500);
			seen &= lost("5 minutes, re-entered and unlocked: 2.5 s later", leased, theirs.getLock("leased"));
		}
		finally {
			server.stop();
		}
		System.exit(seen ? 0 : 1);
	}

	private static boolean lost(String when, RLock lock, RLock another) {
		boolean ours = lock.isHeldByCurrentThread();
		boolean theirs = another.tryLock();
		System.out.println(when + " ours=" + ours + ", another gets it=" + theirs);
		return !ours && theirs;
	}

	private static RedissonClient client(int port) {
		Config config = new Config();
		config.setLockWatchdogTimeout(1_000);
		config.useSingleServer().setAddress("redis://127.0.0.1:" + port).setConnectionMinimumIdleSize(1)
				.setConnectionPoolSize(4);
		return Redisson.create(config);
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
