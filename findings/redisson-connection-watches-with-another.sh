#!/usr/bin/env bash
#
# Redisson's RedissonConnectionFactory 4.7.0 for Spring Data Redis 4.1.0: a RedisConnection of it, which a SessionCallback
# keeps to itself, is any connection of the pool for each command. WATCH goes to one and MULTI to another: where several
# threads do so, the transaction writes over what another has changed, which WATCH is to prevent, and the transaction of a
# thread that watched nothing, and has the connection next, is dropped. exec() tells neither: it is null for a dropped
# transaction elsewhere, and a list with a null in it here.
#
# Seen: "watched, changed by another: carried out 346 of 1000 times", "nothing watched: dropped 230 of 1000 times, exec()
# is null: 0", with four threads; the numbers vary, and one thread alone sees neither.
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if all of the
# former are dropped, all of the latter carried out, or exec() is null.

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
			<artifactId>redisson-spring-data-41</artifactId>
			<version>4.7.0</version>
		</dependency>
		<dependency>
			<groupId>org.springframework.data</groupId>
			<artifactId>spring-data-redis</artifactId>
			<version>4.1.0</version>
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
import java.util.concurrent.atomic.AtomicInteger;

import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.spring.data.connection.RedissonConnectionFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import redis.embedded.RedisServer;

public class Finding {

	private static final AtomicInteger overwritten = new AtomicInteger();

	private static final AtomicInteger dropped = new AtomicInteger();

	private static final AtomicInteger told = new AtomicInteger();

	private static StringRedisTemplate template;

	public static void main(String[] args) throws Exception {
		int port;
		try (ServerSocket free = new ServerSocket(0)) {
			port = free.getLocalPort();
		}
		RedisServer server = new RedisServer(port);
		server.start();
		Config config = new Config();
		config.useSingleServer().setAddress("redis://127.0.0.1:" + port);
		RedissonClient client = Redisson.create(config);
		try {
			template = new StringRedisTemplate(new RedissonConnectionFactory(client));
			Thread[] threads = new Thread[4];
			for (int i = 0; i < threads.length; i++) {
				String name = "key of thread " + i + ", ";
				boolean watch = i < 2;
				threads[i] = new Thread(() -> {
					for (int n = 0; n < 500; n++) {
						set(name + n, watch);
					}
				});
			}
			for (Thread each : threads) {
				each.start();
			}
			for (Thread each : threads) {
				each.join();
			}
		}
		finally {
			client.shutdown();
			server.stop();
		}
		System.out.println("watched, changed by another: carried out " + overwritten + " of 1000 times");
		System.out.println("nothing watched: dropped " + dropped + " of 1000 times, exec() is null: " + told);
		System.exit((overwritten.get() > 0 && dropped.get() > 0 && told.get() == 0) ? 0 : 1);
	}

	private static void set(String key, boolean watch) {
		List<Object> replies = template.execute(new SessionCallback<List<Object>>() {

			@Override
			@SuppressWarnings("unchecked")
			public <K, V> List<Object> execute(RedisOperations<K, V> session) throws DataAccessException {
				RedisOperations<String, String> operations = (RedisOperations<String, String>) session;
				if (watch) {
					operations.watch(key);
					template.opsForValue().set(key, "theirs");
				}
				operations.multi();
				operations.opsForValue().set(key, "ours");
				return operations.exec();
			}

		});
		boolean done = "ours".equals(template.opsForValue().get(key));
		if (watch && done) {
			overwritten.incrementAndGet();
		}
		if (!watch && !done) {
			dropped.incrementAndGet();
			if (replies == null) {
				told.incrementAndGet();
			}
		}
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
