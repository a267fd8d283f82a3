#!/usr/bin/env bash
#
# Spring Integration 7.1.2, RedisLockRegistry: a re-entry of lock(Duration) with a shorter time to live replaces that of
# the outer hold, and its unlock does not bring it back: the outer holder goes on while another registry gets the lock.
# With a task scheduler for renewals, each re-entry starts one more renewal and forgets the one before, which nothing
# ends: neither unlock, nor the loss of the lock.
#
# Seen: "after the re-entry: 200 ms left of 60000", "both hold it: true", "renewals of 5 locks that are released: 5".
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if the outer
# hold is kept, or no renewal is left.

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

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

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
		boolean both;
		int left;
		try {
			both = bothHoldIt(factory);
			left = renewalsLeft(factory);
		}
		finally {
			factory.destroy();
			server.stop();
		}
		System.exit((both && left == 5) ? 0 : 1);
	}

	private static boolean bothHoldIt(JedisConnectionFactory factory) throws Exception {
		DistributedLock ours = new RedisLockRegistry(factory, "locks").obtain("order");
		ours.lock();
		ours.lock(Duration.ofMillis(200));
		ours.unlock();
		Long left = new StringRedisTemplate(factory).getExpire("locks:order", java.util.concurrent.TimeUnit.MILLISECONDS);
		System.out.println("after the re-entry: " + left + " ms left of 60000");
		Thread.sleep(400);
		boolean theirs = new RedisLockRegistry(factory, "locks").obtain("order").tryLock();
		System.out.println("both hold it: " + theirs);
		return theirs;
	}

	private static int renewalsLeft(JedisConnectionFactory factory) throws Exception {
		ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
		scheduler.setRemoveOnCancelPolicy(true);
		scheduler.setDaemon(true);
		scheduler.afterPropertiesSet();
		RedisLockRegistry registry = new RedisLockRegistry(factory, "renewed", Duration.ofMillis(600));
		registry.setRenewalTaskScheduler(scheduler);
		for (int i = 0; i < 5; i++) {
			DistributedLock lock = registry.obtain("order" + i);
			lock.lock();
			lock.lock();
			lock.unlock();
			lock.unlock();
		}
		Thread.sleep(3_000);
		int left = scheduler.getScheduledThreadPoolExecutor().getQueue().size();
		System.out.println("renewals of 5 locks that are released: " + left);
		return left;
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
