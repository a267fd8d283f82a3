#!/usr/bin/env bash
#
# Redisson 4.7.0: lock() without a lease, which the watchdog is to renew until unlock(), takes the lease that the RLock
# object was used with before. A lease of a second that ran out, as leases are meant to, before its holder came back: the
# next lock() of the same object is held for one second, too. Renewed at a third of lockWatchdogTimeout, ten seconds by
# default, it is another's long before. With a spin lock a tryLock(0, 1, SECONDS) that got nothing is enough. A new object
# of the same name has the usual lease.
#
# Seen: "RLock behind a lease that ran out: 1 s left, another gets it=true", "spin lock behind a tryLock in vain: 1 s left,
# another gets it=true", "new RLock: 30 s left, another gets it=false".
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if one of the
# former two is kept, or the last is not.

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
import java.util.concurrent.TimeUnit;

import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

import redis.embedded.RedisServer;

public class Finding {

	public static void main(String[] args) throws Exception {
		int port;
		try (ServerSocket free = new ServerSocket(0)) {
			port = free.getLocalPort();
		}
		RedisServer server = new RedisServer(port);
		server.start();
		RedissonClient ours = client(port);
		RedissonClient theirs = client(port);
		boolean seen;
		try {
			RLock used = ours.getLock("used");
			used.lock(1, TimeUnit.SECONDS);
			Thread.sleep(1_500);
			RLock spin = ours.getSpinLock("spin");
			RLock others = theirs.getSpinLock("spin");
			others.lock();
			spin.tryLock(0, 1, TimeUnit.SECONDS);
			others.unlock();
			seen = lost("RLock behind a lease that ran out", used, theirs)
					& lost("spin lock behind a tryLock in vain", spin, theirs)
					& !lost("new RLock", ours.getLock("new"), theirs);
		}
		finally {
			server.stop();
		}
		System.exit(seen ? 0 : 1);
	}

	private static boolean lost(String what, RLock lock, RedissonClient theirs) throws InterruptedException {
		lock.lock();
		long left = (lock.remainTimeToLive() + 999) / 1_000;
		Thread.sleep(1_500);
		boolean lost = theirs.getLock(lock.getName()).tryLock();
		System.out.println(what + ": " + left + " s left, another gets it=" + lost);
		return lost;
	}

	private static RedissonClient client(int port) {
		Config config = new Config();
		config.useSingleServer().setAddress("redis://127.0.0.1:" + port).setConnectionMinimumIdleSize(1)
				.setConnectionPoolSize(4);
		return Redisson.create(config);
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
