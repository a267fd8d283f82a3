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

package io.quorlock.aop;

import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import io.quorlock.annotation.DistributedLock;
import io.quorlock.aop.declaration.LeaseBounds;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DistributedLockAdvisor} around beans that are proxies themselves, as a
 * repository is.
 */
class DeclaredOnInterfaceTests {

	private final FakeLockTemplate locks = new FakeLockTemplate();

	private final DistributedLockAdvisor advisor = new DistributedLockAdvisor(new DefaultListableBeanFactory(),
			LeaseBounds.NONE, () -> this.locks, 0);

	/** A bean whose target has none of the interfaces. */
	private static Object repository(Class<?>... interfaces) {
		ProxyFactory factory = new ProxyFactory();
		factory.setTarget(new Object());
		factory.setInterfaces(interfaces);
		factory.addAdvice((MethodInterceptor) (invocation) -> null);
		return factory.getProxy();
	}

	private Saving locked(Object bean) {
		return (Saving) new ProxyFactory(bean) {
			{
				addAdvice(DeclaredOnInterfaceTests.this.advisor);
			}
		}.getProxy();
	}

	@Test
	void annotationMayBeOnAnyOfTheInterfaces() {
		locked(repository(Plain.class, Locked.class)).save();
		locked(repository(Locked.class, Plain.class)).save();
		assertThat(this.locks.events()).containsExactly("lock saving", "unlock saving", "lock saving", "unlock saving");
	}

	@Test
	void annotationOfAnInterfaceWithoutTheMethodIsNotMeant() {
		locked(repository(Plain.class, Other.class)).save();
		assertThat(this.locks.requests()).isEmpty();
	}

	@Test
	void annotationOfTheClassReplacesThatOfItsInterface() {
		locked(new ProxyFactory(new Own()).getProxy()).save();
		assertThat(this.locks.events()).containsExactly("lock own", "unlock own");
	}

	/** As a client of a remote service. */
	@Test
	void beanWithoutATargetHasTheAnnotationOfItsInterface() {
		ProxyFactory factory = new ProxyFactory(Locked.class, this.advisor);
		factory.addAdvice((MethodInterceptor) (invocation) -> null);
		((Locked) factory.getProxy()).save();
		assertThat(this.locks.events()).containsExactly("lock saving", "unlock saving");
	}

	interface Saving {

		void save();

	}

	interface Plain extends Saving {

	}

	interface Locked extends Saving {

		@Override
		@DistributedLock("saving")
		void save();

	}

	@DistributedLock("other")
	interface Other {

		void find();

	}

	static class Own implements Locked {

		@Override
		@DistributedLock("own")
		public void save() {
		}

	}

}
