#!/usr/bin/env bash
#
# Jedis 7.4.1: a connection whose reply timed out is broken, and refuses each further command with "Attempting to read
# from a broken connection". It has sent the command before it says so, and the server carries it out. 8.0.2 does not
# send it ("Attempting to write to a broken connection").
#
# Seen: "refused: JedisConnectionException", "the counter is 2" with 7.4.1, 1 with 8.0.2.
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if the numbers
# are others.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > Finding.java <<'JAVA'
import java.net.ServerSocket;

import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.args.ClientPauseMode;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.embedded.RedisServer;

public class Finding {

	public static void main(String[] args) throws Exception {
		int port;
		try (ServerSocket free = new ServerSocket(0)) {
			port = free.getLocalPort();
		}
		RedisServer server = new RedisServer(port);
		server.start();
		String counter;
		try (Jedis admin = new Jedis("127.0.0.1", port);
				Jedis jedis = new Jedis(new HostAndPort("127.0.0.1", port),
						DefaultJedisClientConfig.builder().socketTimeoutMillis(300).build())) {
			jedis.ping();
			admin.clientPause(1_500, ClientPauseMode.WRITE);
			increment("timed out", jedis);
			increment("refused", jedis);
			Thread.sleep(2_000);
			counter = admin.get("counter");
			System.out.println("the counter is " + counter);
		}
		finally {
			server.stop();
		}
		System.exit(counter.equals(args[0]) ? 0 : 1);
	}

	private static void increment(String what, Jedis jedis) {
		try {
			System.out.println("replied: " + jedis.incr("counter"));
		}
		catch (JedisConnectionException ex) {
			System.out.println(what + ": " + ex);
		}
	}

}
JAVA
declare -A counters=([7.4.1]=2 [8.0.2]=1)
for version in 7.4.1 8.0.2; do
	cat > pom.xml <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0">
	<modelVersion>4.0.0</modelVersion>
	<groupId>finding</groupId>
	<artifactId>finding</artifactId>
	<version>1</version>
	<dependencies>
		<dependency>
			<groupId>redis.clients</groupId>
			<artifactId>jedis</artifactId>
			<version>$version</version>
		</dependency>
		<dependency>
			<groupId>org.signal</groupId>
			<artifactId>embedded-redis</artifactId>
			<version>0.9.1</version>
		</dependency>
	</dependencies>
</project>
POM
	rm -rf lib
	mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
	echo "Jedis $version"
	timeout 120 java -cp 'lib/*' Finding.java "${counters[$version]}"
done
