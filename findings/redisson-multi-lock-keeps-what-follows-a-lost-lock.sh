#!/usr/bin/env bash
#
# Redisson 4.7.0: RedissonMultiLock.unlock() releases its locks one after the other, and stops at the first that it no
# longer has (released by force here, as by a failover that forgot it). It raises IllegalMonitorStateException, and the
# locks behind it stay with their holder, renewed by the watchdog for as long as the process lives.
#
# Seen: "unlock(): IllegalMonitorStateException; 7 s later another gets the first=true, the second=false", "none lost,
# unlock(): returned; 7 s later another gets the first=true, the second=true" (lockWatchdogTimeout is 3 s here).
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if the second
# lock is free where the first was lost, or held where none was.

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
			seen = kept("", ours, theirs, true) & !kept("none lost, ", ours, theirs, false);
		}
		finally {
			server.stop();
		}
		System.exit(seen ? 0 : 1);
	}

	private static boolean kept(String what, RedissonClient ours, RedissonClient theirs, boolean lost)
			throws InterruptedException {
		String name = "lost=" + lost;
		RLock both = ours.getMultiLock(ours.getLock(name + " 1"), ours.getLock(name + " 2"));
		both.lock();
		if (lost) {
			theirs.getLock(name + " 1").forceUnlock();
		}
		String outcome = "returned";
		try {
			both.unlock();
		}
		catch (IllegalMonitorStateException ex) {
			outcome = "IllegalMonitorStateException";
		}
		Thread.sleep(7_000);
		boolean first = theirs.getLock(name + " 1").tryLock();
		boolean second = theirs.getLock(name + " 2").tryLock();
		System.out.println(what + "unlock(): " + outcome + "; 7 s later another gets the first=" + first
				+ ", the second=" + second);
		return first && !second && !outcome.equals("returned");
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
