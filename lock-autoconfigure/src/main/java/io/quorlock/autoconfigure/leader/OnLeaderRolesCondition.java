package io.quorlock.autoconfigure.leader;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.OnPropertyListCondition;

/**
 * Matches when {@code distributed-lock.leader.roles} has an entry.
 */
class OnLeaderRolesCondition extends OnPropertyListCondition {

	OnLeaderRolesCondition() {
		super("distributed-lock.leader.roles", () -> ConditionMessage.forCondition("Leader roles"));
	}

}
