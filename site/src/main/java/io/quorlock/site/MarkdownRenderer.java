package io.quorlock.site;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

import io.quorlock.site.Page.Section;

/**
 * Renders GitHub's Markdown: tables, and anchors at the headings.
 */
final class MarkdownRenderer {

	private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());

	private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();

	private final Links links;

	MarkdownRenderer(Links links) {
		this.links = links;
	}

	Page render(Source source) {
		Node document = PARSER.parse(source.markdown());
		document.accept(new LinkRewriter(source));
		Map<Node, String> anchors = new IdentityHashMap<>();
		List<Section> sections = sections(document, anchors);
		HtmlRenderer html = HtmlRenderer.builder()
			.extensions(EXTENSIONS)
			.attributeProviderFactory((context) -> (node, tag, attributes) -> {
				if (anchors.containsKey(node)) {
					attributes.put("id", anchors.get(node));
				}
			})
			.build();
		return new Page(source, sections.get(0).title(), html.render(document), sections);
	}

	private static List<Section> sections(Node document, Map<Node, String> anchors) {
		Anchors names = new Anchors();
		List<Section> sections = new ArrayList<>();
		StringBuilder text = new StringBuilder();
		for (Node node = document.getLastChild(); node != null; node = node.getPrevious()) {
			if (node instanceof Heading) {
				sections.add(0, new Section("", text(node), text.toString().strip()));
				text.setLength(0);
			}
			else {
				text.insert(0, text(node) + "\n");
			}
		}
		int index = 0;
		for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
			if (node instanceof Heading) {
				Section section = sections.get(index);
				anchors.put(node, names.anchorOf(section.title()));
				sections.set(index++, new Section(anchors.get(node), section.title(), section.text()));
			}
		}
		return sections;
	}

	private static String text(Node node) {
		StringBuilder text = new StringBuilder();
		node.accept(new PlainText(text));
		return text.toString();
	}

	private final class LinkRewriter extends AbstractVisitor {

		private final Source source;

		LinkRewriter(Source source) {
			this.source = source;
		}

		@Override
		public void visit(Link link) {
			link.setDestination(MarkdownRenderer.this.links.resolve(this.source, link.getDestination()));
			visitChildren(link);
		}

		@Override
		public void visit(Image image) {
			image.setDestination(MarkdownRenderer.this.links.resolve(this.source, image.getDestination()));
			visitChildren(image);
		}

	}

}
