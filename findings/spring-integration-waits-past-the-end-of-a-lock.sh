#!/usr/bin/env bash
#
# Spring Integration 7.1.2, RedisLockRegistry with PUB_SUB_LOCK, "a preferred mode": a waiter does not ask how long the lock
# will last. It is woken by the message of an unlock only; a lock that expires, as that of a crashed holder, sends none.
# tryLock(time) then looks again when its whole time is over, and lock() when expireAfter of its own registry is, 60 s by
# default, whatever the holder's time to live was. SPIN_LOCK, the default, takes the lock when it is free.
#
# Seen, with a holder that ends after 1 s: "SPIN_LOCK: tryLock(10 s) true after 1 s, lock() after 1 s", "PUB_SUB_LOCK:
# tryLock(10 s) true after 10 s, lock() after 15 s" (expireAfter is 15 s here).
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if PUB_SUB_LOCK
# takes the lock within five seconds, or SPIN_LOCK does not.

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
			<groupId>org.springframework.integration</groupId>
			<artifactId>spring-integration-redis</artifactId>
			<version>7.1.2</version>
		</dependency>
		<dependency>
			<groupId>org.springframework.data</groupId>
			<artifactId>spring-data-redis</artifactId>
			<version>4.1.0</version>
		</dependency>
		<dependency>
			<groupId>redis.clients</groupId>
			<artifactId>jedis</artifactId>
			<version>7.4.1</version>
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
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.integration.support.locks.DistributedLock;

import redis.embedded.RedisServer;

public class Finding {

	private static JedisConnectionFactory factory;

	public static void main(String[] args) throws Exception {
		int port;
		try (ServerSocket free = new ServerSocket(0)) {
			port = free.getLocalPort();
		}
		RedisServer server = new RedisServer(port);
		server.start();
		factory = new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", port));
		factory.afterPropertiesSet();
		factory.start();
		boolean seen;
		try {
			seen = inTime(RedisLockType.SPIN_LOCK) == 2 && inTime(RedisLockType.PUB_SUB_LOCK) == 0;
		}
		finally {
			factory.destroy();
			server.stop();
		}
		System.exit(seen ? 0 : 1);
	}

	private static int inTime(RedisLockType type) throws Exception {
		DistributedLock tried = heldForOneSecond(type, "tried");
		long begin = System.nanoTime();
		boolean gotten = tried.tryLock(10, TimeUnit.SECONDS);
		double trying = seconds(begin);
		DistributedLock locked = heldForOneSecond(type, "locked");
		begin = System.nanoTime();
		locked.lock();
		double locking = seconds(begin);
		System.out.printf("%s: tryLock(10 s) %s after %.0f s, lock() after %.0f s%n", type, gotten, trying, locking);
		return ((trying < 5) ? 1 : 0) + ((locking < 5) ? 1 : 0);
	}

	private static DistributedLock heldForOneSecond(RedisLockType type, String key) {
		registry(type).obtain(key).lock(Duration.ofSeconds(1));
		return registry(type).obtain(key);
	}

	private static RedisLockRegistry registry(RedisLockType type) {
		RedisLockRegistry registry = new RedisLockRegistry(factory, type.name(), 15_000);
		registry.setRedisLockType(type);
		return registry;
	}

	private static double seconds(long begin) {
		return (System.nanoTime() - begin) / 1e9;
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
