package io.quorlock.sample.demo;

/** A part of the demo. */
@FunctionalInterface
interface Act {

	void play(Report report) throws InterruptedException;

}
