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

package io.quorlock.aop;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AliasFor;
import org.springframework.stereotype.Component;

import io.quorlock.LockException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.DistributedLock.OnContention;
import io.quorlock.annotation.DistributedLock.OnLost;

/**
 * Locked methods for tests, and scripts that run inside them.
 */
final class OrderFixtures {

	private OrderFixtures() {
	}

	@Retention(RetentionPolicy.RUNTIME)
	@DistributedLock(name = "account", waitTime = "0s", onContention = OnContention.SKIP)
	@interface AccountLock {

		@AliasFor(annotation = DistributedLock.class, attribute = "key")
		String of();

	}

	interface ThrowingRunnable {

		void run() throws Exception;

	}

	static class Script {

		Runnable body = () -> {
		};

		ThrowingRunnable throwing = () -> {
		};

		int runs;

		void run() {
			this.runs++;
			this.body.run();
		}

	}

	@Component("warehouse")
	static class Warehouse {

		public String getCode() {
			return "warehouse";
		}

	}

	static class Orders {

		private final Script script;

		Orders(Script script) {
			this.script = script;
		}

		@DistributedLock("nightly-report")
		public void nameOnly() {
			run();
		}

		@DistributedLock(name = "order", key = "#orderId")
		public void byName(@Nullable Integer orderId) {
			run();
		}

		@DistributedLock(name = "order", key = "#a0 + '-' + #p1")
		public void byIndex(int first, int second) {
			run();
		}

		@DistributedLock(name = "order", key = "#root.method.name + '-' + #root.args[0] + '-' + #root.target.shop()")
		public void byRoot(String value) {
			run();
		}

		@DistributedLock(name = "order", key = "@warehouse.code + '-' + #id")
		public void byBean(int id) {
			run();
		}

		@DistributedLock(name = "order", key = "#text")
		public void byText(String text) {
			run();
		}

		@DistributedLock(name = "order", key = "#order.length()")
		public void nested(@Nullable String order) {
			run();
		}

		@DistributedLock(name = "order", key = "#id")
		public void optional(Optional<Integer> id) {
			run();
		}

		@DistributedLock(name = "stock", key = "#skus.![#this]")
		public void all(List<String> skus) {
			run();
		}

		@DistributedLock(name = "stock", key = "#ids")
		public void array(int... ids) {
			run();
		}

		@DistributedLock(name = "${order.lock}", waitTime = "${order.wait}", leaseTime = "PT1M", holdAtLeast = "500ms")
		public void configured() {
			run();
		}

		@DistributedLock(name = "blank", waitTime = "${order.none:}", leaseTime = " ", holdAtLeast = "${order.none: }")
		public void blank() {
			run();
		}

		@DistributedLock
		public void overloaded(int value) {
			run();
		}

		@DistributedLock
		public void overloaded(String value) {
			run();
		}

		@AccountLock(of = "#id")
		public String composed(int id) {
			run();
			return "done";
		}

		@DistributedLock(name = "skip", onContention = OnContention.SKIP)
		public void skipVoid() {
			run();
		}

		@DistributedLock(name = "skip", onContention = OnContention.SKIP)
		public String skipObject() {
			run();
			return "done";
		}

		@DistributedLock(name = "skip", onContention = OnContention.SKIP)
		public Optional<String> skipOptional() {
			run();
			return Optional.of("done");
		}

		@DistributedLock(name = "skip", onContention = OnContention.SKIP)
		public OptionalInt skipOptionalInt() {
			run();
			return OptionalInt.of(1);
		}

		@DistributedLock(name = "skip", onContention = OnContention.SKIP)
		public OptionalLong skipOptionalLong() {
			run();
			return OptionalLong.of(1);
		}

		@DistributedLock(name = "skip", onContention = OnContention.SKIP)
		public OptionalDouble skipOptionalDouble() {
			run();
			return OptionalDouble.of(1);
		}

		@DistributedLock(name = "fallback", key = "#id", fallback = "busyElsewhere")
		public String withFallbackForContention(int id) {
			run();
			return "done";
		}

		String busyElsewhere(int id, LockNotAcquiredException why) {
			return id + " " + why.getClass().getSimpleName();
		}

		@DistributedLock(name = "fallback", key = "#id", fallback = "busy")
		public String withFallback(int id) {
			run();
			return "done";
		}

		private String busy(int id) {
			return "busy " + id;
		}

		@DistributedLock(name = "fallback", key = "#id", fallback = "tellingBusy")
		public String withTellingFallback(int id) {
			run();
			return "done";
		}

		String tellingBusy(int id, LockException why) {
			return id + " " + why.getClass().getSimpleName();
		}

		@DistributedLock(name = "ignore", onLost = OnLost.IGNORE)
		public String ignoring() {
			run();
			return "done";
		}

		@DistributedLock(name = "interrupt", onLost = OnLost.INTERRUPT)
		public void interrupted() throws Exception {
			run();
			this.script.throwing.run();
		}

		public void callsItself() {
			nameOnly();
		}

		public String shop() {
			return "shop";
		}

		private void run() {
			this.script.run();
		}

	}

}
