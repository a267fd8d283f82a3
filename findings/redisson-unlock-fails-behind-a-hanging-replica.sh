#!/usr/bin/env bash
#
# Redisson 4.7.0 with useMasterSlaveServers(), as with Sentinel or Cluster: each command of a lock waits until a replica
# confirms it. While the only replica hangs (its connection stays, its process stands still), unlock() of a lock that is
# held raises an exception after twelve seconds, although the lock was released at once and another may have it by then.
# tryLock(), which "returns immediately", takes longer still, and fails; slavesSyncTimeout, a second, is waited for again
# at each of the attempts to undo the lock. In a finally block this hides the exception of the work.
#
# Seen: "unlock(): RedisException, seconds=11, the key was gone after 1 s=true", "tryLock(): RedisException, seconds=16".
# Needs a JDK of at least 17 and Maven; the servers are those in org.signal:embedded-redis (7.0.15). Fails if unlock()
# raises nothing, or either takes less than five seconds.

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
import java.util.concurrent.atomic.AtomicBoolean;

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
			onReplica.replicaof("127.0.0.1", first);
			for (int i = 0; i < 300 && !onMaster.info("replication").contains("state=online"); i++) {
				Thread.sleep(100);
			}
			String process = onReplica.info("server").replaceAll("(?s).*process_id:(\\d+).*", "$1");
			RedissonClient client = client(first, second);
			RLock held = client.getLock("held");
			held.lock();
			signal("STOP", process);
			try {
				seen = seen(onMaster, client, held);
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

	private static boolean seen(Jedis onMaster, RedissonClient client, RLock held) throws Exception {
		AtomicBoolean gone = new AtomicBoolean();
		Thread look = new Thread(() -> {
			try {
				Thread.sleep(1_000);
			}
			catch (InterruptedException ex) {
				return;
			}
			gone.set(!onMaster.exists("held"));
		});
		look.start();
		long start = System.nanoTime();
		String released = outcome(held::unlock);
		long unlocking = (System.nanoTime() - start) / 1_000_000_000;
		look.join();
		System.out.println("unlock(): " + released + ", seconds=" + unlocking + ", the key was gone after 1 s=" + gone);
		start = System.nanoTime();
		String tried = outcome(() -> client.getLock("free").tryLock());
		long trying = (System.nanoTime() - start) / 1_000_000_000;
		System.out.println("tryLock(): " + tried + ", seconds=" + trying);
		return released.equals("RedisException") && gone.get() && unlocking >= 5 && trying >= 5;
	}

	private static String outcome(Runnable call) {
		try {
			call.run();
			return "returned";
		}
		catch (RuntimeException ex) {
			return ex.getClass().getSimpleName();
		}
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
