#!/usr/bin/env bash
#
# Redisson 4.7.0, RLock: the watchdog renews a lock once for each time that the same thread held it during the last
# period, not once. Whoever takes and releases one name 200 times and then keeps it sends hundreds of renewals for it.
#
# Seen: "renewals of one lock in 6 s, held first: 5" (a watchdog of 3 s renews each second), "held after 200 short holds:
# 975"; the second number varies with the speed of the machine.
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if it is below
# fifty.

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
			<groupId>org.signal</groupId>
			<artifactId>embedded-redis</artifactId>
			<version>0.9.1</version>
		</dependency>
		<dependency>
			<groupId>redis.clients</groupId>
			<artifactId>jedis</artifactId>
			<version>7.4.1</version>
		</dependency>
	</dependencies>
</project>
POM
cat > Finding.java <<'JAVA'
import java.net.ServerSocket;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

import redis.clients.jedis.Jedis;
import redis.embedded.RedisServer;

public class Finding {

	private static final Pattern CALLS = Pattern.compile("cmdstat_pexpire:calls=(\\d+)");

	public static void main(String[] args) throws Exception {
		int port;
		try (ServerSocket free = new ServerSocket(0)) {
			port = free.getLocalPort();
		}
		RedisServer server = new RedisServer(port);
		server.start();
		Config config = new Config();
		config.setLockWatchdogTimeout(3_000);
		config.useSingleServer().setAddress("redis://127.0.0.1:" + port).setConnectionMinimumIdleSize(1)
				.setConnectionPoolSize(4);
		RedissonClient redisson = Redisson.create(config);
		long first;
		long later;
		try (Jedis jedis = new Jedis("127.0.0.1", port)) {
			first = renewals(redisson, jedis);
			System.out.println("renewals of one lock in 6 s, held first: " + first);
			for (int i = 0; i < 200; i++) {
				RLock lock = redisson.getLock("order");
				lock.lock();
				lock.unlock();
			}
			later = renewals(redisson, jedis);
			System.out.println("held after 200 short holds: " + later);
		}
		finally {
			server.stop();
		}
		System.exit((first <= 8 && later >= 50) ? 0 : 1);
	}

	private static long renewals(RedissonClient redisson, Jedis jedis) throws Exception {
		RLock lock = redisson.getLock("order");
		lock.lock();
		long before = expirations(jedis);
		Thread.sleep(6_000);
		long renewals = expirations(jedis) - before;
		lock.unlock();
		return renewals;
	}

	private static long expirations(Jedis jedis) {
		Matcher calls = CALLS.matcher(jedis.info("commandstats"));
		return calls.find() ? Long.parseLong(calls.group(1)) : 0;
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
