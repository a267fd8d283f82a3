#!/usr/bin/env bash
#
# Redisson 4.7.0 with useMasterSlaveServers(): checkLockSyncedSlaves, on by default, is to make an acquire fail that no
# replica confirms. A client counts the replicas once. If there was none at its first lock (a replica that was restarted,
# replaced or still copying), it waits for none ever after, however many there are: its locks are granted at once while
# the only replica hangs, and a failover forgets them. A client that started a moment later fails as documented.
#
# Seen: "first lock before the first replica: true, seconds=0", "first lock behind it: RedisException, seconds=16".
# Needs a JDK of at least 17 and Maven; the servers are those in org.signal:embedded-redis (7.0.15). Fails if the former
# client is not granted its lock, or the latter is.

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

import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.ReadMode;
import redis.clients.jedis.Jedis;
import redis.embedded.RedisServer;

public class Finding {

	public static void main(String[] args) throws Exception {
		int first = freePort();
		RedisServer master = new RedisServer(first);
		master.start();
		int second = freePort();
		RedisServer replica = new RedisServer(second);
		replica.start();
		boolean seen = false;
		try (Jedis onMaster = new Jedis("127.0.0.1", first); Jedis onReplica = new Jedis("127.0.0.1", second)) {
			onMaster.configSet("repl-diskless-sync-delay", "0");
			RedissonClient early = client(first, second);
			RLock before = early.getLock("before");
			before.lock();
			before.unlock();
			onReplica.replicaof("127.0.0.1", first);
			for (int i = 0; i < 300 && !onMaster.info("replication").contains("state=online"); i++) {
				Thread.sleep(100);
			}
			RedissonClient late = client(first, second);
			RLock behind = late.getLock("behind");
			behind.lock();
			behind.unlock();
			String process = onReplica.info("server").replaceAll("(?s).*process_id:(\\d+).*", "$1");
			signal("STOP", process);
			try {
				seen = tried("before the first replica", early).equals("true")
						& tried("behind it", late).equals("RedisException");
			}
			finally {
				signal("CONT", process);
			}
		}
		finally {
			replica.stop();
			master.stop();
		}
		System.exit(seen ? 0 : 1);
	}

	private static String tried(String when, RedissonClient client) {
		long start = System.nanoTime();
		String outcome;
		try {
			outcome = String.valueOf(client.getLock("tried " + when).tryLock());
		}
		catch (RuntimeException ex) {
			outcome = ex.getClass().getSimpleName();
		}
		System.out.println("first lock " + when + ": " + outcome + ", seconds="
				+ (System.nanoTime() - start) / 1_000_000_000);
		return outcome;
	}

	private static void signal(String name, String process) throws Exception {
		new ProcessBuilder("kill", "-" + name, process).inheritIO().start().waitFor();
	}

	private static RedissonClient client(int master, int replica) {
		Config config = new Config();
		config.useMasterSlaveServers().setMasterAddress("redis://127.0.0.1:" + master)
				.addSlaveAddress("redis://127.0.0.1:" + replica).setReadMode(ReadMode.MASTER);
		return Redisson.create(config);
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
