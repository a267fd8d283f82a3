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

import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Checks at startup what every bean declares about locks and leadership, lazy beans and
 * methods that no proxy intercepts included, and that every bean which exists is a proxy
 * that keeps it. A bean whose definition does not reveal its class is checked when it is
 * created.
 * <p>
 * The beans of a parent or child context without advisors of its own are checked, too.
 *
 * @since 0.1.0
 */
public class LockDeclarationValidator
		implements BeanPostProcessor, SmartInitializingSingleton, ApplicationListener<ContextRefreshedEvent> {

	private static final Log logger = LogFactory.getLog(LockDeclarationValidator.class);

	private final ConfigurableListableBeanFactory beanFactory;

	/** The classes of all beans that were created. */
	private final Set<Class<?>> created = ConcurrentHashMap.newKeySet();

	/** The first bean of each class, until all singletons are there. */
	private final Map<String, Object> early = new ConcurrentHashMap<>();

	private final Set<Class<?>> validated = ConcurrentHashMap.newKeySet();

	private volatile boolean started;

	/**
	 * Create the validator.
	 * @param beanFactory knows the beans and the advisors
	 */
	public LockDeclarationValidator(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		validate(this.beanFactory, this.validated);
		this.started = true;
		this.early.forEach((name, bean) -> {
			if (!this.beanFactory.containsSingleton(name)
					|| !this.validated.contains(AopProxyUtils.ultimateTargetClass(bean))) {
				validate(this.beanFactory, name, bean);
			}
		});
		this.early.clear();
		BeanFactory ancestor = this.beanFactory.getParentBeanFactory();
		while (ancestor != null) {
			ancestor = validateOther(ancestor);
		}
	}

	/** Shows the class of a bean whose definition hides it, and which proxy it has. */
	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (this.created.add(AopProxyUtils.ultimateTargetClass(bean))) {
			if (this.started) {
				validate(this.beanFactory, beanName, bean);
			}
			else {
				this.early.put(beanName, bean);
			}
		}
		return bean;
	}

	/** The parent hears of a child that has no validator. */
	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		BeanFactory refreshed = event.getApplicationContext().getAutowireCapableBeanFactory();
		if (refreshed != this.beanFactory) {
			validateOther(refreshed);
			if (refreshed instanceof ConfigurableListableBeanFactory beans && !hasValidator(beans)) {
				beans.addBeanPostProcessor(new LaterBeans(this, beans, ConcurrentHashMap.newKeySet()));
			}
		}
	}

	private @Nullable BeanFactory validateOther(BeanFactory other) {
		BeanFactory factory = (other instanceof ApplicationContext context) ? context.getAutowireCapableBeanFactory()
				: other;
		if (!(factory instanceof ConfigurableListableBeanFactory beans)) {
			return null;
		}
		if (!hasValidator(beans)) {
			validate(beans, new HashSet<>());
		}
		return beans.getParentBeanFactory();
	}

	private static boolean hasValidator(ConfigurableListableBeanFactory beans) {
		return beans.getBeanNamesForType(LockDeclarationValidator.class, true, false).length > 0;
	}

	private void validate(ConfigurableListableBeanFactory beans, Set<Class<?>> validated) {
		Collection<GuardAdvisor> advisors = advisors();
		ProxiedBeanCheck proxiedBeanCheck = new ProxiedBeanCheck(beans, beans == this.beanFactory);
		beanClasses(beans).forEach((name, beanClass) -> validate(beanClass, validated, advisors,
				(advisor) -> proxiedBeanCheck.check(advisor, name, beanClass)));
	}

	private void validate(ConfigurableListableBeanFactory beans, String name, Object bean) {
		Class<?> beanClass = AopProxyUtils.ultimateTargetClass(bean);
		ProxiedBeanCheck proxiedBeanCheck = new ProxiedBeanCheck(beans, beans == this.beanFactory);
		validate(beanClass, this.validated, advisors(),
				(advisor) -> proxiedBeanCheck.check(advisor, name, beanClass, bean));
	}

	private Collection<GuardAdvisor> advisors() {
		return BeanFactoryUtils.beansOfTypeIncludingAncestors(this.beanFactory, GuardAdvisor.class, true, false)
			.values();
	}

	/** A bean that is never created may name classes that are not there. */
	private static void validate(Class<?> beanClass, Set<Class<?>> validated, Collection<GuardAdvisor> advisors,
			Consumer<GuardAdvisor> proxiedBeanCheck) {
		boolean first = validated.add(beanClass);
		try {
			for (GuardAdvisor advisor : advisors) {
				if (first) {
					advisor.validate(beanClass);
				}
				proxiedBeanCheck.accept(advisor);
			}
		}
		catch (IllegalStateException ex) {
			if (!(ex.getCause() instanceof LinkageError)) {
				throw ex;
			}
			logger.debug("The methods of " + beanClass + " are not known, so its locks are not checked at start", ex);
		}
	}

	private static Map<String, Class<?>> beanClasses(ConfigurableListableBeanFactory beanFactory) {
		Map<String, Class<?>> classes = new LinkedHashMap<>();
		// No eager initialization: a lazy factory bean stays lazy.
		Arrays.stream(beanFactory.getBeanNamesForType(Object.class, true, false)).forEach((name) -> {
			try {
				Class<?> beanClass = AutoProxyUtils.determineTargetClass(beanFactory, name);
				if (beanClass != null) {
					classes.put(name, beanClass);
				}
			}
			catch (RuntimeException | LinkageError ex) {
				logger.debug("The class of bean '" + name + "' is not known, so its locks are not checked at start",
						ex);
			}
		});
		return classes;
	}

	/** What a child context creates after its refresh. */
	private record LaterBeans(LockDeclarationValidator validator, ConfigurableListableBeanFactory beans,
			Set<Class<?>> created) implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			if (this.created.add(AopProxyUtils.ultimateTargetClass(bean))) {
				this.validator.validate(this.beans, beanName, bean);
			}
			return bean;
		}

	}

}
