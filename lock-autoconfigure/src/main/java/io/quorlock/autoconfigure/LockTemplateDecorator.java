package io.quorlock.autoconfigure;

import io.quorlock.LockTemplate;

/**
 * Callback of the auto-configuration to wrap the template.
 */
@FunctionalInterface
interface LockTemplateDecorator {

	LockTemplate decorate(LockTemplate template);

}
