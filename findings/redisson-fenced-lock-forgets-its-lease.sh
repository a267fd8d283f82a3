#!/usr/bin/env bash
#
# Redisson 4.7.0, RFencedLock: lockAndGetToken(lease, unit), "released automatically after leaseTime", forgets its lease,
# and the watchdog renews the lock until it is unlocked; tryLockAndGetToken keeps it. getToken() reads the newest token,
# whoever has it: a holder that overran its lease and asks then is given the token of its successor, and passes the
# fence. A re-entry gets a token of its own, by which the outer hold's is refused.
#
# Seen: "3 s after lockAndGetToken(500 ms): held=true", "after tryLockAndGetToken(0, 500 ms): held=false", "overrun with
# token 1, the successor has 2: getToken()=2", "re-entry: 3, then 4".
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if the first
# lock ends, or one of the tokens is another.

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
import org.redisson.api.RFencedLock;
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
		boolean seen;
		try {
			RedissonClient ours = connect(port);
			RedissonClient theirs = connect(port);
			seen = forgetsItsLease(ours) & givesTheTokenOfAnother(ours.getFencedLock("stock"), theirs.getFencedLock("stock"));
		}
		finally {
			server.stop();
		}
		System.exit(seen ? 0 : 1);
	}

	private static boolean forgetsItsLease(RedissonClient ours) throws Exception {
		RFencedLock waiting = ours.getFencedLock("order");
		waiting.lockAndGetToken(500, TimeUnit.MILLISECONDS);
		RFencedLock trying = ours.getFencedLock("invoice");
		trying.tryLockAndGetToken(0, 500, TimeUnit.MILLISECONDS);
		Thread.sleep(3_000);
		boolean first = waiting.isHeldByCurrentThread();
		boolean second = trying.isHeldByCurrentThread();
		System.out.println("3 s after lockAndGetToken(500 ms): held=" + first);
		System.out.println("after tryLockAndGetToken(0, 500 ms): held=" + second);
		return first && !second;
	}

	private static boolean givesTheTokenOfAnother(RFencedLock our, RFencedLock their) throws Exception {
		long first = our.tryLockAndGetToken(0, 300, TimeUnit.MILLISECONDS);
		Thread.sleep(600);
		long second = their.tryLockAndGetToken();
		long asked = our.getToken();
		System.out.println("overrun with token " + first + ", the successor has " + second + ": getToken()=" + asked);
		their.unlock();
		long outer = our.lockAndGetToken();
		long inner = our.lockAndGetToken();
		System.out.println("re-entry: " + outer + ", then " + inner);
		return first < second && asked == second && outer < inner;
	}

	private static RedissonClient connect(int port) {
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
