#!/usr/bin/env bash
#
# Redis 7.0.15 (8.6.3, Valkey 9.1.2 and Redict 7.3.6 alike), memory full, policy noeviction: SET in a script is refused
# (OOM), and is carried out if the script called any other writing command before, even one that wrote nothing, as DEL of
# a key that does not exist. A script that tidies up first is therefore never refused, and the memory grows past
# maxmemory.
#
# Seen: "SET: OOM", "DEL of nothing, then SET of 5,000,000 bytes: OK, 5000000 bytes".
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis. Fails if the second script is
# refused.

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

import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.embedded.RedisServer;

public class Finding {

	private static final String SET = "return redis.call('SET', KEYS[1], string.rep('x', 5000000))";

	public static void main(String[] args) throws Exception {
		int port;
		try (ServerSocket free = new ServerSocket(0)) {
			port = free.getLocalPort();
		}
		RedisServer server = new RedisServer(port);
		server.start();
		boolean refused;
		long length;
		try (Jedis jedis = new Jedis("127.0.0.1", port)) {
			jedis.configSet("maxmemory-policy", "noeviction");
			jedis.configSet("maxmemory", "1");
			refused = eval(jedis, "SET", SET).startsWith("OOM");
			eval(jedis, "DEL of nothing, then SET of 5,000,000 bytes", "redis.call('DEL', KEYS[2]) " + SET);
			length = jedis.strlen("key");
			System.out.println("length of the key: " + length);
		}
		finally {
			server.stop();
		}
		System.exit((refused && length == 5_000_000) ? 0 : 1);
	}

	private static String eval(Jedis jedis, String what, String script) {
		String reply;
		try {
			reply = jedis.eval(script, List.of("key", "nothing"), List.of()).toString();
		}
		catch (JedisDataException ex) {
			reply = ex.getMessage();
		}
		System.out.println(what + ": " + reply);
		return reply;
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
