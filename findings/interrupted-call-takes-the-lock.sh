#!/usr/bin/env bash
#
# Redisson 4.7.0, and Spring Integration 7.1.2 with Lettuce 7.5.2: an interrupted thread that asks for a lock gets an
# exception and the lock. The command is sent before the client looks at the interrupt, and nothing takes it back.
# Redisson then renews the lock for as long as the application runs, for a thread that has ended. So it goes with lock(),
# too, which an interrupt is not to end; that of RedisLockRegistry keeps all others out for its minute.
#
# Seen: "RLock.tryLock(): RedisException, 5 s later the key lives on: true" (a watchdog of 1 s), "RLock.lock():
# RedisException, 5 s later the key lives on: true", "RedisLockRegistry, lock(): CannotAcquireLockException, another
# registry gets it: false".
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if one is free
# afterwards.

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
			<groupId>io.lettuce</groupId>
			<artifactId>lettuce-core</artifactId>
			<version>7.5.2.RELEASE</version>
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
import java.util.concurrent.locks.Lock;

import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
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
		boolean seen;
		try {
			seen = redisson(port) & springIntegration(port);
		}
		finally {
			server.stop();
		}
		System.exit(seen ? 0 : 1);
	}

	private static boolean redisson(int port) throws Exception {
		Config config = new Config();
		config.setLockWatchdogTimeout(1_000);
		config.useSingleServer().setAddress("redis://127.0.0.1:" + port).setConnectionMinimumIdleSize(1)
				.setConnectionPoolSize(4);
		RedissonClient redisson = Redisson.create(config);
		RLock tried = redisson.getLock("order");
		RLock locked = redisson.getLock("invoice");
		String ofTryLock = interrupted(tried::tryLock);
		String ofLock = interrupted(locked::lock);
		Thread.sleep(5_000);
		boolean first = tried.isLocked();
		boolean second = locked.isLocked();
		System.out.println("RLock.tryLock(): " + ofTryLock + ", 5 s later the key lives on: " + first);
		System.out.println("RLock.lock(): " + ofLock + ", 5 s later the key lives on: " + second);
		return ofTryLock.equals("RedisException") && ofLock.equals("RedisException") && first && second;
	}

	private static boolean springIntegration(int port) throws Exception {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", port));
		factory.afterPropertiesSet();
		factory.start();
		Lock theirs = new RedisLockRegistry(factory, "locks").obtain("order");
		if (!theirs.tryLock()) {
			throw new IllegalStateException("nobody has it");
		}
		theirs.unlock();
		String ofLock = interrupted(new RedisLockRegistry(factory, "locks").obtain("order")::lock);
		Thread.sleep(500);
		boolean free = theirs.tryLock();
		System.out.println("RedisLockRegistry, lock(): " + ofLock + ", another registry gets it: " + free);
		factory.destroy();
		return ofLock.equals("CannotAcquireLockException") && !free;
	}

	private static String interrupted(Runnable call) throws Exception {
		String[] thrown = { "nothing" };
		Thread thread = new Thread(() -> {
			Thread.currentThread().interrupt();
			try {
				call.run();
			}
			catch (RuntimeException ex) {
				thrown[0] = ex.getClass().getSimpleName();
			}
		});
		thread.start();
		thread.join();
		return thrown[0];
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
