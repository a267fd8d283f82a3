#!/usr/bin/env bash
#
# Jedis 7.4.1 with a Redis Cluster, alone and below Spring Data Redis 4.1.0: a command whose reply does not come in time (2
# s by default) is sent again, five times in all at most, and the server carries out each of them. SET with NX finds its own
# key then: one call replies that another has the lock, which is ours, and nobody releases it before its end. INCR counts
# twice, so that a token is left out. Jedis for a single server raises the timeout to its caller instead.
#
# Seen, with a server that stands still for 3 s: "SET NX: null, the lock's owner is us", "setIfAbsent: false, the lock's
# owner is us", "INCR of nothing: 2".
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if one of the
# locks is got or is not there, or the number is not 2.

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
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.params.SetParams;
import redis.embedded.RedisServer;

public class Finding {

	private static Jedis direct;

	public static void main(String[] args) throws Exception {
		int port = freePort();
		RedisServer server = RedisServer.builder().port(port).setting("cluster-enabled yes")
				.setting("cluster-port " + freePort())
				.setting("cluster-config-file " + Path.of("nodes.conf").toAbsolutePath()).build();
		server.start();
		boolean seen = false;
		try (Jedis jedis = new Jedis("127.0.0.1", port)) {
			direct = jedis;
			direct.clusterAddSlots(IntStream.range(0, 16_384).toArray());
			for (int i = 0; i < 300 && !direct.clusterInfo().contains("cluster_state:ok"); i++) {
				Thread.sleep(100);
			}
			try (RedisClusterClient cluster = RedisClusterClient.builder()
					.nodes(Set.of(new HostAndPort("127.0.0.1", port))).build()) {
				JedisConnectionFactory factory = new JedisConnectionFactory(
						new RedisClusterConfiguration(Set.of("127.0.0.1:" + port)));
				factory.afterPropertiesSet();
				factory.start();
				StringRedisTemplate template = new StringRedisTemplate(factory);
				template.opsForValue().get("nothing");
				cluster.get("nothing");
				String set = asked(() -> cluster.set("ours", "us", SetParams.setParams().nx().px(60_000)));
				String absent = asked(() -> template.opsForValue().setIfAbsent("ours too", "us", Duration.ofMinutes(1)));
				String number = asked(() -> cluster.incr("token"));
				System.out.println("SET NX: " + set + ", the lock's owner is " + direct.get("ours"));
				System.out.println("setIfAbsent: " + absent + ", the lock's owner is " + direct.get("ours too"));
				System.out.println("INCR of nothing: " + number);
				seen = set.equals("null") && absent.equals("false") && number.equals("2")
						&& direct.get("ours").equals("us") && direct.get("ours too").equals("us");
				factory.destroy();
			}
		}
		finally {
			server.stop();
		}
		System.exit(seen ? 0 : 1);
	}

	private static String asked(Supplier<Object> question) throws Exception {
		String process = direct.info("server").replaceAll("(?s).*process_id:(\\d+).*", "$1");
		signal("STOP", process);
		Thread later = new Thread(() -> {
			try {
				Thread.sleep(3_000);
				signal("CONT", process);
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		});
		later.start();
		try {
			return String.valueOf(question.get());
		}
		catch (RuntimeException ex) {
			return ex.toString();
		}
		finally {
			later.join();
		}
	}

	private static void signal(String name, String process) throws Exception {
		new ProcessBuilder("kill", "-" + name, process).inheritIO().start().waitFor();
	}

	private static int freePort() throws Exception {
		try (ServerSocket free = new ServerSocket(0)) {
			return free.getLocalPort();
		}
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
