/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.quorlock.engine;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockLostException;
import io.quorlock.LockMode;
import io.quorlock.LockReentryException;
import io.quorlock.LockRequest;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.spi.ReentrantLockHandle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * R11: a call re-enters what it holds, by name and mode, and the last handle releases.
 */
@Timeout(60)
class R11ReentryTests {

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	private final ScriptedCluster cluster = new ScriptedCluster(3);

	private final DefaultLockTemplate template = new DefaultLockTemplate(this.cluster.engine);

	private List<String> operations() {
		return this.cluster.nodes.get(0).operations();
	}

	private LockHandle reenter(LockRequest request) {
		return this.template.acquire(request.within(LockContext.ofThread()));
	}

	@Test
	void lastHandleReleases() {
		this.template.executeWithoutResult(ORDER, () -> {
			LockHandle first = reenter(ORDER);
			LockHandle second = reenter(ORDER);
			assertThat(second.fencingToken()).isEqualTo(LockContext.fencingToken());
			first.close();
			first.close();
			assertThat(second.isHeld()).isTrue();
			second.close();
			assertThat(LockContext.current().orElseThrow().isHeld()).isTrue();
			assertThat(operations()).containsExactly("acquire");
		});
		assertThat(operations()).containsExactly("acquire", "release");
	}

	@Test
	void callThatHoldsAHandleLongerThanItsLockKeepsIt() {
		LockHandle inner = this.template.execute(ORDER, () -> reenter(ORDER));
		assertThat(inner.isHeld()).isTrue();
		assertThat(operations()).containsExactly("acquire");
		inner.close();
		assertThat(operations()).containsExactly("acquire", "release");
	}

	@Test
	void namesThatTheCallDoesNotHoldAreAskedFor() {
		this.template.executeWithoutResult(ORDER, () -> {
			try (LockHandle both = reenter(LockRequest.ofAll("invoice", "order"))) {
				assertThat(both.names()).containsExactly("invoice", "order");
				assertThat(this.cluster.nodes.get(0).last().command().target().names()).containsExactly("invoice");
			}
		});
		assertThat(operations()).containsExactly("acquire", "acquire", "release", "release");
	}

	@Test
	void lostLockIsNotReentered() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.template.executeWithoutResult(ORDER, () -> {
				this.cluster.time.pause(Duration.ofSeconds(31));
				assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> reenter(ORDER));
				LockContext.current().orElseThrow().ensureHeld();
			}));
	}

	@Test
	void readerDoesNotBecomeAWriter() {
		this.template.executeWithoutResult(ORDER.shared(), () -> {
			assertThatExceptionOfType(LockReentryException.class).isThrownBy(() -> reenter(ORDER))
				.withMessageContaining("cannot become its writer");
			assertThat(operations()).containsExactly("acquire");
		});
	}

	@Test
	void writerThatWasDowngradedDoesNotBecomeAWriterAgain() {
		this.template.executeWithoutResult(ORDER, () -> {
			LockContext.current().orElseThrow().downgrade();
			assertThatExceptionOfType(LockReentryException.class).isThrownBy(() -> reenter(ORDER));
			reenter(ORDER.shared()).close();
		});
	}

	@Test
	void writerReadsWithItsOwnLease() {
		this.template.executeWithoutResult(ORDER, () -> {
			try (LockHandle reader = reenter(ORDER.shared())) {
				assertThat(reader.mode()).isEqualTo(LockMode.EXCLUSIVE);
				assertThat(reader.fencingToken()).isEqualTo(LockContext.fencingToken());
			}
			assertThat(operations()).containsExactly("acquire");
		});
	}

	@Test
	void writerThatReadsSeveralNamesRemainsTheWriterOfItsOwn() {
		LockRequest both = LockRequest.ofAll("invoice", "order").shared();
		this.template.executeWithoutResult(ORDER, () -> this.template.executeWithoutResult(both, () -> {
			assertThat(LockContext.current().orElseThrow().mode()).isEqualTo(LockMode.SHARED);
			try (LockHandle writer = reenter(ORDER)) {
				assertThat(writer.mode()).isEqualTo(LockMode.EXCLUSIVE);
			}
			assertThatExceptionOfType(LockReentryException.class).isThrownBy(() -> reenter(LockRequest.of("invoice")));
		}));
	}

	@Test
	void lockThatIsNotReentrantIsRefused() {
		this.template.executeWithoutResult(ORDER, () -> {
			assertThatExceptionOfType(LockReentryException.class).isThrownBy(() -> reenter(ORDER.notReentrant()))
				.withMessageContaining("not re-entrant");
			assertThat(operations()).containsExactly("acquire");
		});
	}

	@Test
	void lockIsNoPermitOfItsName() {
		this.template.executeWithoutResult(ORDER,
				() -> assertThatIllegalArgumentException().isThrownBy(() -> reenter(ORDER.permits(2))));
	}

	@Test
	void permitIsReenteredAsThePermitThatItIs() {
		LockRequest permit = ORDER.permits(2);
		this.cluster.nodes.forEach((node) -> node.script = (command) -> (command instanceof NodeCommand.Acquire)
				? new NodeReply.Granted(true, new long[] { 7 }, 2) : new NodeReply.Released(true, 0));
		this.template.executeWithoutResult(permit, () -> {
			try (LockHandle again = reenter(permit)) {
				assertThat(again.permit()).isEqualTo(2);
			}
			assertThatIllegalArgumentException().isThrownBy(() -> reenter(ORDER));
			assertThat(operations()).containsExactly("acquire");
		});
	}

	/** The lock is held by the outer call still, which has callbacks of its own. */
	@Test
	void callbacksOfAnInnerHandleEndWithIt() {
		List<LockLostEvent> lost = new ArrayList<>();
		LockHandle lock = this.cluster.acquire(ORDER).join();
		lock.onLost(lost::add);
		LockHandle inner = ((ReentrantLockHandle) lock).reenter(List.of("order"));
		inner.onLost(lost::add);
		inner.close();
		this.cluster.silence();
		this.cluster.time.advance(Duration.ofSeconds(31));
		assertThat(lost).hasSize(1);
	}

	@Test
	void contextLosesALockWhereverItIsNested() throws Exception {
		LockHandle outer = this.template.acquire(LockRequest.of("outer"));
		LockHandle inner = this.template.acquire(LockRequest.of("inner"));
		Method method = getClass().getDeclaredMethod("contextLosesALockWhereverItIsNested");
		LockContext.enter(outer, null);
		LockContext.enter(inner, method);
		LockContext.leave(outer);
		LockContext innerAlone = LockContext.ofThread();
		assertThat(innerAlone).extracting(LockContext::handle, LockContext::outer, LockContext::method)
			.containsExactly(inner, null, method);
		LockContext.leave(inner);
		assertThat(LockContext.ofThread()).isNull();
	}

	@Test
	void contextThatIsReplacedIsReturned() {
		LockContext context = LockContext.with(this.template.acquire(ORDER), null);
		assertThat(LockContext.restore(context)).isNull();
		assertThat(LockContext.restore(null)).isSameAs(context);
		assertThat(LockContext.capture()).isNull();
	}

}
