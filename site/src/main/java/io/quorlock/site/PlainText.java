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
