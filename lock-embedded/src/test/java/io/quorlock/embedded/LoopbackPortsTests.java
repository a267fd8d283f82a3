package io.quorlock.embedded;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LoopbackPortsTests {

	@Test
	void portIsReservedOnce() {
		List<Integer> ports = IntStream.range(0, 1_000).mapToObj((i) -> LoopbackPorts.reserve()).toList();
		try {
			assertThat(ports).doesNotHaveDuplicates();
		}
		finally {
			ports.forEach(LoopbackPorts::release);
		}
	}

	@Test
	void portOfStoppedServerIsNotGivenToAnother() {
		try (EmbeddedRedisNode node = EmbeddedRedisNode.start()) {
			node.stop();
			List<Integer> others = IntStream.range(0, 5_000).mapToObj((i) -> LoopbackPorts.reserve()).toList();
			others.forEach(LoopbackPorts::release);
			assertThat(others).doesNotContain(node.port());
		}
	}

	@Test
	void portOfClosedServerIsGivenToOthersAgain() {
		EmbeddedRedisNode node = EmbeddedRedisNode.start();
		node.close();
		boolean found = false;
		for (int i = 0; i < 1_000_000 && !found; i++) {
			int port = LoopbackPorts.reserve();
			LoopbackPorts.release(port);
			found = port == node.port();
		}
		assertThat(found).isTrue();
	}

}
