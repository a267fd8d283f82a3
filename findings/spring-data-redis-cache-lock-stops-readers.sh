#!/usr/bin/env bash
#
# Spring Data Redis 4.1.0, lockingRedisCacheWriter, which is to load a missing value once (@Cacheable(sync = true)): its lock is
# one for the whole cache, and every reader waits for it. While one instance computes one value, no instance reads any other
# from this cache, also those that are cached; for a value that takes a minute, all of them stand still for a minute. The
# lock has no end by default, and no owner: it stays when its process dies.
#
# Seen: "lockingRedisCacheWriter: a cached value (true) is read after 3982 ms", "nonLockingRedisCacheWriter: a cached value
# (true) is read after 3 ms" (while another value is computed for 4 s).
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if the former
# takes less than 2 s, or the latter more than one.

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
import java.util.concurrent.CountDownLatch;

import org.springframework.cache.Cache;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.cache.RedisCacheWriter;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
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
			seen = read("lockingRedisCacheWriter", RedisCacheWriter.lockingRedisCacheWriter(factory)) > 2_000
					& read("nonLockingRedisCacheWriter", RedisCacheWriter.nonLockingRedisCacheWriter(factory)) < 1_000;
		}
		finally {
			factory.destroy();
			server.stop();
		}
		System.exit(seen ? 0 : 1);
	}

	private static long read(String name, RedisCacheWriter writer) throws Exception {
		Cache ours = RedisCacheManager.builder(writer).build().getCache(name);
		Cache another = RedisCacheManager.builder(writer).build().getCache(name);
		ours.put("cached", "value");
		another.get("cached");
		CountDownLatch computes = new CountDownLatch(1);
		CompletableFuture<String> computed = CompletableFuture.supplyAsync(() -> ours.get("other", () -> {
			computes.countDown();
			Thread.sleep(4_000);
			return "value";
		}));
		computes.await();
		long start = System.nanoTime();
		boolean there = another.get("cached") != null;
		long millis = (System.nanoTime() - start) / 1_000_000;
		System.out.println(name + ": a cached value (" + there + ") is read after " + millis + " ms");
		computed.join();
		return millis;
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
