package io.quorlock.quorum.node;

/**
 * Has one method for each kind of command.
 *
 * @param <R> the type of the result
 * @since 0.1.0
 */
public interface CommandVisitor<R> {

	R acquire(NodeCommand.Acquire command);

	R raise(NodeCommand.Raise command);

	R renew(NodeCommand.Renew command);

	R release(NodeCommand.Release command);

	R drop(NodeCommand.Drop command);

	R withdraw(NodeCommand.Withdraw command);

	R inspect(OperatorCommand.Inspect command);

	R forceRelease(OperatorCommand.ForceRelease command);

}
