#!/usr/bin/env bash
#
# Redis 7.0.15 (8.6.3, Valkey 9.1.2 and Redict 7.3.6 alike): on an idle server, a blocking command ends at the server's
# next tick after its timeout, of which there are ten a second by default (hz). WAIT with 1 ms and BLPOP with 0.01 s take
# up to a tenth of a second; other clients' commands make them end in time.
#
# Seen: "WAIT 1 1, on average: 102 ms", "BLPOP 0.01: 102 ms", "WAIT 1 1 while another client sends: 4 ms".
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis. Fails if the idle server needs
# less than 30 ms, or the busy one more than half of that of the idle one.

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
import java.util.concurrent.atomic.AtomicBoolean;

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
		double wait;
		double pop;
		double busy;
		AtomicBoolean stop = new AtomicBoolean();
		try (Jedis jedis = new Jedis("127.0.0.1", port)) {
			wait = millis("WAIT 1 1, on average", () -> jedis.waitReplicas(1, 1));
			pop = millis("BLPOP 0.01", () -> jedis.blpop(0.01, "nothing"));
			Thread other = new Thread(() -> {
				try (Jedis another = new Jedis("127.0.0.1", port)) {
					while (!stop.get()) {
						another.ping();
						Thread.sleep(1);
					}
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			});
			other.start();
			busy = millis("WAIT 1 1 while another client sends", () -> jedis.waitReplicas(1, 1));
			stop.set(true);
			other.join();
		}
		finally {
			server.stop();
		}
		System.exit((wait >= 30 && pop >= 30 && busy < wait / 2) ? 0 : 1);
	}

	private static double millis(String what, Runnable command) {
		command.run();
		long begin = System.nanoTime();
		for (int i = 0; i < 20; i++) {
			command.run();
		}
		double millis = (System.nanoTime() - begin) / 20 / 1e6;
		System.out.printf("%s: %.0f ms%n", what, millis);
		return millis;
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
