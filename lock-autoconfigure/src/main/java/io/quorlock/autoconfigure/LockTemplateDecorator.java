package io.quorlock.autoconfigure;

import io.quorlock.LockTemplate;

/**
 * Puts something around the template that a part of the auto-configuration wants there.
 */
@FunctionalInterface
interface LockTemplateDecorator {

	LockTemplate decorate(LockTemplate template);

}
