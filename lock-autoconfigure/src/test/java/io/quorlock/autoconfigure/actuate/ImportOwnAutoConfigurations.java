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
