#!/usr/bin/env bash
#
# Spring Integration 7.1.2: LockRegistryLeaderInitiator keeps the Lock of its candidate for as long as it runs. Since
# RedisLockRegistry refuses a Lock that expireUnusedOlderThan has swept ("evicted from the exhausted cache", although one
# lock is in a cache for 100,000), a candidate that is swept never leads again. Its lock counts as unused while it retries
# without a server: an application that tidies up once in that time has a candidate that fails for ever after the server
# is back, says so at DEBUG only, and does not obtain another lock. If all have tidied up, there is no leader any more.
#
# Seen: "kept and swept: The lock 'kept' was evicted from the exhausted cache", "outage of two seconds: a leader again: true",
# "outage, swept: a leader again within 10 s: false".
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if the kept lock
# can be locked, or there is a leader again.

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
import java.util.List;
import java.util.concurrent.locks.Lock;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

import redis.embedded.RedisServer;

public class Finding {

	private static RedisServer server;

	private static int port;

	public static void main(String[] args) throws Exception {
		try (ServerSocket free = new ServerSocket(0)) {
			port = free.getLocalPort();
		}
		server = new RedisServer(port);
		server.start();
		JedisConnectionFactory factory = new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", port));
		factory.afterPropertiesSet();
		factory.start();
		boolean seen;
		try {
			RedisLockRegistry registry = new RedisLockRegistry(factory, "locks");
			String refused = keep(registry);
			System.out.println("kept and swept: " + refused);
			boolean plain = leaderAfterOutage(factory, false);
			System.out.println("outage of two seconds: a leader again: " + plain);
			boolean swept = leaderAfterOutage(factory, true);
			System.out.println("outage, swept: a leader again within 10 s: " + swept);
			seen = refused.contains("evicted") && plain && !swept;
		}
		finally {
			factory.destroy();
			server.stop();
		}
		System.exit(seen ? 0 : 1);
	}

	private static String keep(RedisLockRegistry registry) {
		Lock kept = registry.obtain("kept");
		kept.lock();
		kept.unlock();
		registry.expireUnusedOlderThan(0);
		try {
			kept.lock();
			return "locked";
		}
		catch (RuntimeException ex) {
			return ex.getCause().getMessage().replaceAll("\\. .*", "");
		}
	}

	private static boolean leaderAfterOutage(JedisConnectionFactory factory, boolean sweep) throws Exception {
		List<RedisLockRegistry> registries = List.of(new RedisLockRegistry(factory, "leaders" + sweep, 3_000),
				new RedisLockRegistry(factory, "leaders" + sweep, 3_000));
		List<LockRegistryLeaderInitiator> candidates = registries.stream()
				.map(each -> new LockRegistryLeaderInitiator(each, new DefaultCandidate())).toList();
		candidates.forEach(LockRegistryLeaderInitiator::start);
		if (!leads(candidates)) {
			throw new IllegalStateException("There is no leader");
		}
		server.stop();
		Thread.sleep(2_000);
		for (int i = 0; sweep && i < 5; i++) {
			registries.forEach(each -> each.expireUnusedOlderThan(0));
			Thread.sleep(20);
		}
		server = new RedisServer(port);
		server.start();
		boolean again = leads(candidates);
		candidates.forEach(LockRegistryLeaderInitiator::stop);
		return again;
	}

	private static boolean leads(List<LockRegistryLeaderInitiator> candidates) throws InterruptedException {
		for (int i = 0; i < 100; i++) {
			if (candidates.stream().anyMatch(each -> each.getContext().isLeader())) {
				return true;
			}
			Thread.sleep(100);
		}
		return false;
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
