#!/usr/bin/env bash
#
# Spring Data Redis 4.1.0 with Jedis 7.4.1: executePipelined collects commands and sends them at its end, also if its
# callback failed. Whoever throws in the middle, to send nothing, has all commands before it carried out; so has whoever
# returns a result, which is refused. Jedis' own Pipeline does the same when its try block is left.
#
# Seen: "callback failed, the key is set: true", "callback returned something: InvalidDataAccessApiUsageException, the
# key is set: true", "Jedis, block left by an exception, the key is set: true".
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if a key is not
# set.

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

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisClient;
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
		try (RedisClient jedis = RedisClient.create("127.0.0.1", port)) {
			StringRedisTemplate template = new StringRedisTemplate(factory);
			String failure = run(template, (connection) -> {
				connection.stringCommands().set("failed".getBytes(), new byte[0]);
				throw new IllegalStateException("nothing is to be sent");
			});
			System.out.println("callback failed: " + failure + ", the key is set: " + template.hasKey("failed"));
			failure = run(template,
					(connection) -> connection.stringCommands().set("returned".getBytes(), new byte[0]) == null);
			System.out.println("callback returned something: " + failure + ", the key is set: "
					+ template.hasKey("returned"));
			try (Pipeline pipeline = jedis.pipelined()) {
				pipeline.set("left", "");
				throw new IllegalStateException("nothing is to be sent");
			}
			catch (IllegalStateException ex) {
				System.out.println("Jedis, block left by an exception, the key is set: " + template.hasKey("left"));
			}
			seen = template.hasKey("failed") && template.hasKey("returned") && template.hasKey("left");
		}
		finally {
			factory.destroy();
			server.stop();
		}
		System.exit(seen ? 0 : 1);
	}

	private static String run(StringRedisTemplate template, RedisCallback<Object> callback) {
		try {
			return "replies " + template.executePipelined(callback);
		}
		catch (RuntimeException ex) {
			return ex.getClass().getSimpleName();
		}
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
