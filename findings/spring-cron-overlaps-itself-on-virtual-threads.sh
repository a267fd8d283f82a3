#!/usr/bin/env bash
#
# Spring Framework 7.0.8: SimpleAsyncTaskScheduler, which Spring Boot takes for @Scheduled with
# spring.threads.virtual.enabled=true, starts a cron task while the run before has not ended. ThreadPoolTaskScheduler,
# which it takes otherwise, does not, whatever the size of its pool: one property of the application lets a job run beside
# itself.
#
# Seen: "ThreadPoolTaskScheduler: at most 1 at once", "SimpleAsyncTaskScheduler: at most 3 at once" (a task of 2.5 s, each
# second).
# Needs a JDK of at least 17 and Maven. Fails if the second runs one at once, or the first more.

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
			<groupId>org.springframework</groupId>
			<artifactId>spring-context</artifactId>
			<version>7.0.8</version>
		</dependency>
	</dependencies>
</project>
POM
cat > Finding.java <<'JAVA'
import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.scheduling.support.CronTrigger;

public class Finding {

	public static void main(String[] args) throws Exception {
		ThreadPoolTaskScheduler pool = new ThreadPoolTaskScheduler();
		pool.setPoolSize(10);
		pool.afterPropertiesSet();
		int inPool = atOnce(pool);
		int inThreads = atOnce(new SimpleAsyncTaskScheduler());
		System.exit((inPool == 1 && inThreads > 1) ? 0 : 1);
	}

	private static int atOnce(TaskScheduler scheduler) throws Exception {
		AtomicInteger running = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		scheduler.schedule(() -> {
			most.accumulateAndGet(running.incrementAndGet(), Math::max);
			try {
				Thread.sleep(2_500);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			running.decrementAndGet();
		}, new CronTrigger("* * * * * *"));
		Thread.sleep(7_000);
		System.out.println(scheduler.getClass().getSimpleName() + ": at most " + most + " at once");
		return most.get();
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
