#!/usr/bin/env bash
#
# Spring Integration 7.1.0, which Spring Boot 4.1.0 manages (7.1.2 has mended it), RedisLockRegistry: names share 256 local
# locks by their hash, and whether a release is the last one of a name is decided by the local lock. A thread that holds
# one name and locks another of the same hash, one in 256, does not release the second: unlock() returns, and the name
# stays locked for everybody else for the rest of its time to live, a minute by default. A transfer that locks two
# accounts is enough.
#
# Seen: "unlocked order:1 within order:166: another gets it=false, its key lives for 60 s; unlocked order:1 within
# order:2: another gets it=true" (the numbers of the orders are found by their hash).
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if the former
# is released, or the latter is not.

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
			<version>7.1.0</version>
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.integration.redis.util.RedisLockRegistry;

import redis.embedded.RedisServer;

public class Finding {

	public static void main(String[] args) throws Exception {
		int port;
		try (ServerSocket free = new ServerSocket(0)) {
			port = free.getLocalPort();
		}
		RedisServer server = new RedisServer(port);
		server.start();
		JedisConnectionFactory factory = new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", port));
		factory.afterPropertiesSet();
		factory.start();
		boolean seen;
		try {
			seen = !released(factory, "order:1", another("order:1")) & released(factory, "order:1", "order:2");
		}
		finally {
			factory.destroy();
			server.stop();
		}
		System.exit(seen ? 0 : 1);
	}

	/** The next name whose key has the same last eight bits of its hash. */
	private static String another(String name) {
		int number = 2;
		while ((("locks:order:" + number).hashCode() & 0xFF) != (("locks:" + name).hashCode() & 0xFF)) {
			number++;
		}
		return "order:" + number;
	}

	private static boolean released(JedisConnectionFactory factory, String inner, String outer) {
		RedisLockRegistry ours = new RedisLockRegistry(factory, "locks");
		Lock first = ours.obtain(outer);
		Lock second = ours.obtain(inner);
		first.lock();
		second.lock();
		second.unlock();
		first.unlock();
		StringRedisTemplate redis = new StringRedisTemplate(factory);
		Long left = redis.getExpire("locks:" + inner);
		boolean released = CompletableFuture
			.supplyAsync(() -> new RedisLockRegistry(factory, "locks").obtain(inner).tryLock())
			.join();
		System.out.println("unlocked " + inner + " within " + outer + ": another gets it=" + released
				+ (released ? "" : ", its key lives for " + left + " s"));
		redis.delete("locks:" + inner);
		return released;
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
