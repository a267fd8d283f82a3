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

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.beans.factory.support.AbstractBeanFactory;
import org.springframework.core.Ordered;

/**
 * Shows the proxy of a guarded bean to the post-processors that come after it.
 * <p>
 * The proxy of a bean that is part of a circle is made early, and Spring hands the bean
 * itself to the post-processors: what they register, such as a scheduled task or a
 * listener, would call it without a lock. Here they get the proxy, as they do without a
 * circle. When all of them have seen it, the bean itself is returned, since Spring then
 * replaces it by its proxy, and anything else is an error to it.
 *
 * @since 0.1.0
 */
public class GuardedBeanPostProcessor implements SmartInstantiationAwareBeanPostProcessor, Ordered {

	private final AbstractBeanFactory beanFactory;

	private final Restorer restorer = new Restorer();

	/** The names of guarded beans that were asked for before they were complete. */
	private final Set<String> early = ConcurrentHashMap.newKeySet();

	/** The names of beans that left the proxy creator as guarded proxies. */
	private final Set<String> guarded = ConcurrentHashMap.newKeySet();

	/**
	 * Create the post-processor.
	 * @param beanFactory has the proxies that were made early
	 */
	public GuardedBeanPostProcessor(AbstractBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/** Directly after the creator of the proxies. */
	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE + 1;
	}

	@Override
	public Object getEarlyBeanReference(Object bean, String beanName) {
		if (GuardAdvisor.isApplied(bean, GuardAdvisor.class)) {
			this.early.add(beanName);
			List<BeanPostProcessor> all = this.beanFactory.getBeanPostProcessors();
			if (all.get(all.size() - 1) != this.restorer) {
				this.beanFactory.addBeanPostProcessor(this.restorer);
			}
		}
		return bean;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		Object exposed = bean;
		if (this.early.remove(beanName)) {
			Object proxy = this.beanFactory.getSingleton(beanName);
			if (proxy != null) {
				this.restorer.beans.put(beanName, new Proxied(proxy, bean));
				exposed = proxy;
			}
		}
		if (GuardAdvisor.isApplied(exposed, GuardAdvisor.class)) {
			this.guarded.add(beanName);
		}
		return exposed;
	}

	/**
	 * Return whether a bean got its advice, whatever others have put around it since.
	 * @param beanName the name of the bean
	 * @return whether calls of the bean are guarded
	 */
	boolean isGuarded(String beanName) {
		return this.guarded.contains(beanName);
	}

	/** The last of all post-processors. */
	private static final class Restorer implements BeanPostProcessor {

		private final Map<String, Proxied> beans = new ConcurrentHashMap<>();

		@Override
		public @Nullable Object postProcessAfterInitialization(Object bean, String beanName) {
			Proxied proxied = this.beans.remove(beanName);
			return (proxied != null && proxied.proxy() == bean) ? proxied.bean() : bean;
		}

	}

	private record Proxied(Object proxy, Object bean) {

	}

}
