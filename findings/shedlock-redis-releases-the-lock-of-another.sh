#!/usr/bin/env bash
#
# ShedLock 7.10.1, provider for Spring Data Redis as its constructors and its builder make it: who overran lockAtMostFor
# and then unlocks deletes the lock of whoever has it now, so that a third gets it beside the second. Who extends instead
# takes it over: extend() finds a key, writes its own value into it, and says that the lock is extended.
# RedisLockProvider.Builder.safeUpdate(true) compares first.
#
# Seen: "overrun, then unlocked: a third holds it beside the second", "overrun, then extended: extended=true, of the
# second's lock"; with safeUpdate "the third is refused", "extended=false".
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if the default
# compares, or safeUpdate does not.

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
			<groupId>net.javacrumbs.shedlock</groupId>
			<artifactId>shedlock-provider-redis-spring</artifactId>
			<version>7.10.1</version>
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
import java.time.Instant;

import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

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
			seen = deletes(false) & takesOver(false) & !deletes(true) & !takesOver(true);
		}
		finally {
			factory.destroy();
			server.stop();
		}
		System.exit(seen ? 0 : 1);
	}

	private static boolean deletes(boolean safe) throws Exception {
		SimpleLock first = overrun(safe, "unlock" + safe);
		provider(safe).lock(of("unlock" + safe, Duration.ofMinutes(5))).orElseThrow();
		first.unlock();
		boolean third = provider(safe).lock(of("unlock" + safe, Duration.ofMinutes(5))).isPresent();
		System.out.println("safeUpdate=" + safe + ", overrun, then unlocked: "
				+ (third ? "a third holds it beside the second" : "the third is refused"));
		return third;
	}

	private static boolean takesOver(boolean safe) throws Exception {
		SimpleLock first = overrun(safe, "extend" + safe);
		provider(safe).lock(of("extend" + safe, Duration.ofMinutes(5))).orElseThrow();
		boolean extended = first.extend(Duration.ofMillis(200), Duration.ZERO).isPresent();
		System.out.println("safeUpdate=" + safe + ", overrun, then extended: extended=" + extended
				+ (extended ? ", of the second's lock" : ""));
		return extended;
	}

	private static SimpleLock overrun(boolean safe, String name) throws Exception {
		SimpleLock first = provider(safe).lock(of(name, Duration.ofMillis(200))).orElseThrow();
		Thread.sleep(400);
		return first;
	}

	private static LockProvider provider(boolean safe) {
		return safe ? new RedisLockProvider.Builder(factory).safeUpdate(true).build() : new RedisLockProvider(factory);
	}

	private static LockConfiguration of(String name, Duration lockAtMostFor) {
		return new LockConfiguration(Instant.now(), name, lockAtMostFor, Duration.ZERO);
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
