package io.quorlock.aop;

import io.quorlock.aop.declaration.LockSpecification;
import io.quorlock.aop.invocation.LockedInvoker;

/**
 * A method that runs under a lock.
 *
 * @param specification what its annotation says
 * @param invoker runs it as its result type demands
 */
record LockedMethod(LockSpecification specification, LockedInvoker invoker) {

}
