#!/usr/bin/env bash
#
# Redis 7.0.15 (8.6.3, Valkey 9.1.2 and Redict 7.3.6 alike): SET with NX and a PXAT that is over replies OK, as if it had
# set the key, and there is none. Who takes a lock until an instant, computed by a clock that is behind the server's,
# is told that it has the lock; so is everybody else.
#
# Seen: "first: OK, second: OK, the key exists: false".
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis. Fails if SET replies otherwise.

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

import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.SetParams;
import redis.embedded.RedisServer;

public class Finding {

	public static void main(String[] args) throws Exception {
		int port;
		try (ServerSocket free = new ServerSocket(0)) {
			port = free.getLocalPort();
		}
		RedisServer server = new RedisServer(port);
		server.start();
		String first;
		String second;
		boolean exists;
		try (Jedis jedis = new Jedis("127.0.0.1", port)) {
			long behind = System.currentTimeMillis() - 1_000;
			first = jedis.set("lock", "first", new SetParams().nx().pxAt(behind));
			second = jedis.set("lock", "second", new SetParams().nx().pxAt(behind));
			exists = jedis.exists("lock");
			System.out.println("first: " + first + ", second: " + second + ", the key exists: " + exists);
		}
		finally {
			server.stop();
		}
		System.exit(("OK".equals(first) && "OK".equals(second) && !exists) ? 0 : 1);
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
