#!/usr/bin/env bash
#
# Jedis 7.4.1 and 8.0.2: a connection that was disconnected, as by whoever holds it beside its user, connects again
# with its next command, and does not log in again. Where the server's default user may still do something, the
# commands that follow run as that user, on the database 0, without an error.
#
# Seen, with both: "before: locks", "after: default".
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if Jedis
# logs in again or refuses the command.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > Finding.java <<'JAVA'
import java.net.ServerSocket;

import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.embedded.RedisServer;

public class Finding {

	public static void main(String[] args) throws Exception {
		int port;
		try (ServerSocket free = new ServerSocket(0)) {
			port = free.getLocalPort();
		}
		RedisServer server = new RedisServer(port);
		server.start();
		String after;
		try {
			try (Jedis admin = new Jedis("127.0.0.1", port)) {
				admin.aclSetUser("locks", "on", ">secret", "~*", "&*", "+@all");
			}
			try (Jedis jedis = new Jedis(new HostAndPort("127.0.0.1", port),
					DefaultJedisClientConfig.builder().user("locks").password("secret").build())) {
				System.out.println("before: " + jedis.aclWhoAmI());
				jedis.getConnection().disconnect();
				after = jedis.aclWhoAmI();
				System.out.println("after: " + after);
			}
		}
		finally {
			server.stop();
		}
		System.exit(after.equals("default") ? 0 : 1);
	}

}
JAVA
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
	java -cp 'lib/*' Finding.java
done
