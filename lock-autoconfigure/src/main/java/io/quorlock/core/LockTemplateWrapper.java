package io.quorlock.core;

import io.quorlock.LockTemplate;

/**
 * A template that stands before another.
 *
 * @since 0.1.0
 */
public interface LockTemplateWrapper extends LockTemplate {

	/**
	 * The template behind this one.
	 * @return the template
	 */
	LockTemplate unwrap();

}
