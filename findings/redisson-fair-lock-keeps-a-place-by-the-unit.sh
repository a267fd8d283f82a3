#!/usr/bin/env bash
#
# Redisson 4.7.0, RFairLock, which "guarantees an acquire order": tryLock(60, SECONDS) has a place in the queue for the time
# that the holder's key had left, 30 s at most by default, and 60 milliseconds: the number is taken for milliseconds.
# Whoever comes once that is over removes all who waited, and is first. With tryLock(60_000, MILLISECONDS), or with a lease
# in the same call, the place is kept for the minute. This concerns whoever waits for longer than lockWatchdogTimeout.
#
# Seen: "tryLock(60, SECONDS): newcomer, then waiter", "tryLock(60000, MILLISECONDS): waiter, then newcomer", and
# so for "tryLock(60, 30, SECONDS)" (the newcomer comes some three seconds later, lockWatchdogTimeout is 3 s here).
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if the former
# waiter is served first five times, or one of the others is not.

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
	</dependencies>
</project>
POM
cat > Finding.java <<'JAVA'
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RScoredSortedSet;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import redis.embedded.RedisServer;

public class Finding {

	private static RedissonClient client;

	public static void main(String[] args) throws Exception {
		int port;
		try (ServerSocket free = new ServerSocket(0)) {
			port = free.getLocalPort();
		}
		RedisServer server = new RedisServer(port);
		server.start();
		Config config = new Config();
		config.setLockWatchdogTimeout(3_000);
		config.useSingleServer().setAddress("redis://127.0.0.1:" + port);
		client = Redisson.create(config);
		boolean seen;
		try {
			List<String> seconds = order(60, -1, TimeUnit.SECONDS);
			for (int i = 0; i < 4 && seconds.get(0).equals("waiter"); i++) {
				seconds = order(60, -1, TimeUnit.SECONDS); // it asked again just then
			}
			List<String> milliseconds = order(60_000, -1, TimeUnit.MILLISECONDS);
			List<String> lease = order(60, 30, TimeUnit.SECONDS);
			seen = seconds.get(0).equals("newcomer") && milliseconds.get(0).equals("waiter")
					&& lease.get(0).equals("waiter");
		}
		finally {
			client.shutdown();
			server.stop();
		}
		System.exit(seen ? 0 : 1);
	}

	private static List<String> order(long time, long lease, TimeUnit unit) throws Exception {
		String name = time + " " + lease + " " + unit;
		RScoredSortedSet<String> places = client.getScoredSortedSet("redisson_lock_timeout:{" + name + "}",
				StringCodec.INSTANCE);
		List<String> order = new CopyOnWriteArrayList<>();
		RLock held = client.getFairLock(name);
		held.lock();
		Thread waiter = start("waiter", name, time, lease, unit, order);
		while (places.isEmpty()) {
			Thread.sleep(10);
		}
		for (int i = 0; i < 400 && places.firstScore() > System.currentTimeMillis(); i++) {
			Thread.sleep(10);
		}
		Thread newcomer = start("newcomer", name, time, lease, unit, order);
		Thread.sleep(1_000);
		held.unlock();
		waiter.join();
		newcomer.join();
		System.out.println("tryLock(" + time + ((lease > 0) ? ", " + lease : "") + ", " + unit
				+ "): " + String.join(", then ", order));
		return order;
	}

	private static Thread start(String who, String name, long time, long lease, TimeUnit unit,
			List<String> order) {
		Thread thread = new Thread(() -> {
			RLock lock = client.getFairLock(name);
			try {
				if (lock.tryLock(time, lease, unit)) {
					order.add(who);
					lock.unlock();
				}
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		});
		thread.start();
		return thread;
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
