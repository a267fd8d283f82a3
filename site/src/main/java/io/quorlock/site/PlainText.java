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

package io.quorlock.site;

import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;

/**
 * Collects the text of a node without markup, for headings and for the search.
 */
final class PlainText extends AbstractVisitor {

	private final StringBuilder text;

	PlainText(StringBuilder text) {
		this.text = text;
	}

	@Override
	public void visit(Text node) {
		this.text.append(node.getLiteral());
	}

	@Override
	public void visit(Code node) {
		this.text.append(node.getLiteral());
	}

	@Override
	public void visit(FencedCodeBlock node) {
		if (SequenceDiagram.isOne(node.getInfo())) {
			return; // The text of a diagram is not what anybody searches for.
		}
		this.text.append(node.getLiteral());
	}

	@Override
	public void visit(SoftLineBreak node) {
		this.text.append(' ');
	}

	@Override
	public void visit(HardLineBreak node) {
		this.text.append(' ');
	}

	@Override
	public void visit(CustomNode node) {
		visitChildren(node);
		this.text.append(' ');
	}

}
