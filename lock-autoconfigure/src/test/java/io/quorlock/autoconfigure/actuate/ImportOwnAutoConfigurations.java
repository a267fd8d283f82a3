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

package io.quorlock.autoconfigure.actuate;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.AutoConfigurationImportSelector;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Imports the auto-configurations of this project as Boot does it: those whose classes
 * are absent are left out before anything looks at them. Others that are on the class
 * path of the tests may not be fit for an absent library.
 */
public class ImportOwnAutoConfigurations extends AutoConfigurationImportSelector {

	@Override
	protected AnnotationAttributes getAttributes(AnnotationMetadata metadata) {
		AnnotationAttributes attributes = new AnnotationAttributes();
		attributes.put("exclude", new String[0]);
		attributes.put("excludeName", new String[0]);
		return attributes;
	}

	@Override
	protected List<String> getCandidateConfigurations(AnnotationMetadata metadata,
			@Nullable AnnotationAttributes attributes) {
		List<String> candidates = super.getCandidateConfigurations(metadata, attributes);
		return candidates.stream().filter((name) -> name.startsWith("io.quorlock.autoconfigure.")).toList();
	}

}
