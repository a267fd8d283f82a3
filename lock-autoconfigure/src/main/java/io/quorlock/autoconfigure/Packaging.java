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

package io.quorlock.autoconfigure;

import java.security.CodeSource;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.NativeDetector;
import org.springframework.core.SpringProperties;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Detects whether the application runs as it is deployed, or from the classes of an IDE
 * or a build.
 *
 * @since 0.1.0
 */
public final class Packaging {

	/** Archives, also unpacked ones. */
	private static final Pattern ARCHIVE = Pattern.compile("\\.[jw]ar(!|/|$)|/(BOOT|WEB)-INF/");

	private Packaging() {
	}

	/**
	 * Return whether the application runs as it is deployed.
	 * @param beanFactory knows the application's main class
	 * @param environment knows the platform
	 * @return {@code false} also where there is no main class, as in tests
	 */
	public static boolean isPackaged(ListableBeanFactory beanFactory, Environment environment) {
		CloudPlatform platform = CloudPlatform.getActive(environment);
		boolean deployed = NativeDetector.inNativeImage() || (platform != null && platform != CloudPlatform.NONE);
		// What is processed ahead of time is deployed later, with the beans chosen now.
		return deployed || SpringProperties.getFlag(AbstractAotProcessor.AOT_PROCESSING) || isInArchive(beanFactory);
	}

	private static boolean isInArchive(ListableBeanFactory beanFactory) {
		for (String name : beanFactory.getBeanDefinitionNames()) {
			// Without factory beans: none may be created this early.
			if (beanFactory.findAnnotationOnBean(name, SpringBootConfiguration.class, false) != null) {
				Class<?> type = beanFactory.getType(name, false);
				if (type != null && isArchive(locationOf(ClassUtils.getUserClass(type)))) {
					return true;
				}
			}
		}
		return false;
	}

	static boolean isArchive(@Nullable String location) {
		return location != null && ARCHIVE.matcher(location).find();
	}

	private static @Nullable String locationOf(Class<?> type) {
		CodeSource source = type.getProtectionDomain().getCodeSource();
		return (source != null && source.getLocation() != null) ? source.getLocation().toString() : null;
	}

}
