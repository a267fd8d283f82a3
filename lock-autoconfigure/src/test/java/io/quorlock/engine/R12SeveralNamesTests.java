package io.quorlock.engine;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R12: several names are locked together, all or none.
 */
@Timeout(60)
class R12SeveralNamesTests {

	@Test
	void severalNamesAreOneCommandPerNodeAndHaveATokenEach() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(LockRequest.ofAll("b", "a", "b")).join();
		assertThat(lock.names()).containsExactly("a", "b");
		assertThat(cluster.nodes.get(0).operations()).containsExactly("acquire");
		assertThat(lock.fencingToken("a")).isPositive();
		assertThat(lock.fencingToken("b")).isPositive();
	}

}
