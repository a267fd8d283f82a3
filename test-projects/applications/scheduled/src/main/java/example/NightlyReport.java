package example;

import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.DistributedLock.OnContention;

@Component
public class NightlyReport {

	static final AtomicInteger RUNS = new AtomicInteger();

	@Scheduled(fixedDelayString = "1h", initialDelayString = "${first-run:0s}")
	@DistributedLock(name = "nightly-report", waitTime = "0s", holdAtLeast = "30s", onContention = OnContention.SKIP)
	public void write() {
		RUNS.incrementAndGet();
	}

}
