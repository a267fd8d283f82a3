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

package io.quorlock.sample.console;

import java.util.List;

import io.quorlock.sample.shop.Stock;

/**
 * What the page shows. Visits are those under way, and those that ended since the last
 * state that the page got.
 *
 * @param now the time, as in {@link VisitView}
 * @param controllable whether the nodes are the sample's own
 * @param sellable whether the buyers can be controlled
 * @param quorum how many nodes have to agree; with groups the sum over all groups
 * @param instances the instances of the fleet, each of which keeps its place
 * @param nodes all nodes, group by group
 * @param groups the groups of nodes, one without an id if there are none
 * @param locks all names that are known
 * @param scenes the kinds of locks that are being shown
 * @param visits those under way, and those that ended lately
 * @param stock the articles
 * @param overlaps how often two were inside at once although both held the lock
 * @param unguardedOverlaps how often two were inside at once otherwise
 * @param buyers {@code none}, {@code locked} or {@code unguarded}
 * @param leaders the leader of each role
 */
record ConsoleState(double now, boolean controllable, boolean sellable, int quorum, List<String> instances,
		List<NodeView> nodes, List<GroupView> groups, List<LockView> locks, List<Scenes.Scene> scenes,
		List<VisitView> visits, List<Stock> stock, long overlaps, long unguardedOverlaps, String buyers,
		List<LeaderView> leaders) {

}
