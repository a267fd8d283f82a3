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

package io.quorlock.quorum.node;

/**
 * Has one method for each kind of command.
 *
 * @param <R> the type of the result
 * @since 0.1.0
 */
public interface CommandVisitor<R> {

	/**
	 * Visit the command that takes a lock.
	 * @param command the command
	 * @return the result of the visit
	 */
	R acquire(NodeCommand.Acquire command);

	/**
	 * Visit the command that raises the fence of a held lock.
	 * @param command the command
	 * @return the result of the visit
	 */
	R raise(NodeCommand.Raise command);

	/**
	 * Visit the command that renews a lock.
	 * @param command the command
	 * @return the result of the visit
	 */
	R renew(NodeCommand.Renew command);

	/**
	 * Visit the command that releases a lock.
	 * @param command the command
	 * @return the result of the visit
	 */
	R release(NodeCommand.Release command);

	/**
	 * Visit the command that gives back a stray permit.
	 * @param command the command
	 * @return the result of the visit
	 */
	R drop(NodeCommand.Drop command);

	/**
	 * Visit the command that withdraws the ticket of a waiting claim.
	 * @param command the command
	 * @return the result of the visit
	 */
	R withdraw(NodeCommand.Withdraw command);

	/**
	 * Visit the command that asks for the state of a lock.
	 * @param command the command
	 * @return the result of the visit
	 */
	R inspect(OperatorCommand.Inspect command);

	/**
	 * Visit the command that releases a lock regardless of its holder.
	 * @param command the command
	 * @return the result of the visit
	 */
	R forceRelease(OperatorCommand.ForceRelease command);

	/**
	 * Visit the command that asks the holders of a lock to release it.
	 * @param command the command
	 * @return the result of the visit
	 */
	R requestRelease(OperatorCommand.RequestRelease command);

}
