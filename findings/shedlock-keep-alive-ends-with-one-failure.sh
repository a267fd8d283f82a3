#!/usr/bin/env bash
#
# ShedLock 7.10.1, KeepAliveLockProvider, provider for Spring Data Redis: it extends a lock each half of lockAtMostFor, and
# one extension that throws, as when a server answers too late, is its last. The executor drops a repeated task that threw;
# nothing is logged, nothing tries again in the other half, and the task, which runs on, is not told. With the
# server back a second later, the lock ends at lockAtMostFor, and another instance starts the task beside it.
#
# Seen: "server silent from 14 s to 17 s: logged 0, at 32 s another gets it: true", "a lock that was extended after
# that: another gets it: false" (lockAtMostFor 30 s, the least that it takes).
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if the first lock
# is kept, or the second lost.

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
		<dependency>
			<groupId>ch.qos.logback</groupId>
			<artifactId>logback-classic</artifactId>
			<version>1.5.18</version>
		</dependency>
	</dependencies>
</project>
POM
cat > Finding.java <<'JAVA'
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import net.javacrumbs.shedlock.support.KeepAliveLockProvider;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import redis.clients.jedis.Jedis;
import redis.embedded.RedisServer;

public class Finding {

	public static void main(String[] args) throws Exception {
		ListAppender<ILoggingEvent> logged = new ListAppender<>();
		logged.start();
		Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
		root.detachAndStopAllAppenders();
		root.setLevel(Level.INFO);
		root.addAppender(logged);
		int port;
		try (ServerSocket free = new ServerSocket(0)) {
			port = free.getLocalPort();
		}
		RedisServer server = new RedisServer(port);
		server.start();
		JedisConnectionFactory factory = new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", port),
				JedisClientConfiguration.builder().readTimeout(Duration.ofSeconds(1)).build());
		factory.afterPropertiesSet();
		factory.start();
		boolean lost;
		boolean kept;
		try {
			RedisLockProvider provider = new RedisLockProvider.Builder(factory).safeUpdate(true).build();
			ScheduledExecutorService executor = Executors.newScheduledThreadPool(2);
			LockProvider ours = new KeepAliveLockProvider(provider, executor);
			long begin = System.nanoTime();
			ours.lock(of("failed")).orElseThrow();
			until(begin, 5);
			ours.lock(of("extended")).orElseThrow();
			until(begin, 14);
			try (Jedis jedis = new Jedis("127.0.0.1", port)) {
				jedis.clientPause(3_000);
			}
			until(begin, 32);
			lost = provider.lock(of("failed")).isPresent();
			System.out.println("server silent from 14 s to 17 s: logged " + logged.list.size()
					+ ", at 32 s another gets it: " + lost);
			until(begin, 37);
			kept = provider.lock(of("extended")).isEmpty();
			System.out.println("a lock that was extended after that: another gets it: " + !kept);
		}
		finally {
			factory.destroy();
			server.stop();
		}
		System.exit((lost && kept && logged.list.isEmpty()) ? 0 : 1);
	}

	private static void until(long begin, int seconds) throws InterruptedException {
		Thread.sleep(Math.max(0, seconds * 1_000L - (System.nanoTime() - begin) / 1_000_000));
	}

	private static LockConfiguration of(String name) {
		return new LockConfiguration(Instant.now(), name, Duration.ofSeconds(30), Duration.ZERO);
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
