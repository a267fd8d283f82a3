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

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.CoreHtmlNodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlRenderer;

import io.quorlock.site.Page.Section;

/**
 * Renders GitHub's Markdown: tables, and anchors at the headings.
 */
final class MarkdownRenderer {

	private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());

	private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();

	private static final Pattern ANNOTATION = Pattern.compile("@[A-Z]\\w+");

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
			.nodeRendererFactory(DiagramRenderer::new)
			.build();
		return new Page(source, sections.get(0).title(), html.render(document), sections);
	}

	private static List<Section> sections(Node document, Map<Node, String> anchors) {
		Anchors names = new Anchors();
		List<Section> sections = new ArrayList<>();
		StringBuilder text = new StringBuilder();
		Set<String> annotations = new TreeSet<>();
		for (Node node = document.getLastChild(); node != null; node = node.getPrevious()) {
			if (node instanceof Heading) {
				sections.add(0, new Section("", text(node), text.toString().strip(), String.join(" ", annotations)));
				text.setLength(0);
				annotations.clear();
			}
			else {
				text.insert(0, text(node) + "\n");
				annotations.addAll(annotations(node));
			}
		}
		int index = 0;
		for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
			if (node instanceof Heading) {
				Section section = sections.get(index);
				anchors.put(node, names.anchorOf(section.title()));
				sections.set(index++,
						new Section(anchors.get(node), section.title(), section.text(), section.annotations()));
			}
		}
		return sections;
	}

	/** The annotations of an example in Java. */
	private static Set<String> annotations(Node node) {
		Set<String> annotations = new TreeSet<>();
		if (node instanceof FencedCodeBlock block && block.getInfo().equals("java")) {
			Matcher matcher = ANNOTATION.matcher(block.getLiteral());
			while (matcher.find()) {
				annotations.add(matcher.group());
			}
		}
		return annotations;
	}

	private static String text(Node node) {
		StringBuilder text = new StringBuilder();
		node.accept(new PlainText(text));
		return text.toString();
	}

	/** Diagrams are drawn; all other blocks of code stay as they are. */
	private static final class DiagramRenderer implements NodeRenderer {

		private final HtmlNodeRendererContext context;

		private final NodeRenderer others;

		DiagramRenderer(HtmlNodeRendererContext context) {
			this.context = context;
			this.others = new CoreHtmlNodeRenderer(context);
		}

		@Override
		public Set<Class<? extends Node>> getNodeTypes() {
			return Set.of(FencedCodeBlock.class);
		}

		@Override
		public void render(Node node) {
			FencedCodeBlock block = (FencedCodeBlock) node;
			if (SequenceDiagram.isOne(block.getInfo())) {
				this.context.getWriter().raw(SequenceDiagram.svg(block.getLiteral()));
			}
			else {
				this.others.render(node);
			}
		}

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
