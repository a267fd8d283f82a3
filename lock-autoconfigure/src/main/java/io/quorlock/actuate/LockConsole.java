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

package io.quorlock.actuate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.core.io.ClassPathResource;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.util.HtmlUtils;

/**
 * Serves a page that shows what the endpoint {@code locks} reports. The page has no data
 * of its own and is the same for all users: what they may see and do, the endpoint
 * decides.
 *
 * @since 0.1.0
 */
public class LockConsole implements HttpRequestHandler {

	private static final String PAGE = "lock-console.html";

	private final byte[] page;

	private final String policy;

	/**
	 * Create the console.
	 * @param locks where the endpoint is, relative to the page
	 * @param unrestricted whether the endpoint releases locks
	 */
	public LockConsole(String locks, boolean unrestricted) {
		String template = read();
		this.policy = "default-src 'none'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
				+ "frame-ancestors 'none'; script-src " + hash(template, "script") + "; style-src "
				+ hash(template, "style");
		this.page = template.replace("{locks}", HtmlUtils.htmlEscape(locks))
			.replace("{unrestricted}", Boolean.toString(unrestricted))
			.getBytes(StandardCharsets.UTF_8);
	}

	@Override
	public void handleRequest(HttpServletRequest request, HttpServletResponse response) throws IOException {
		if (!"GET".equals(request.getMethod()) && !"HEAD".equals(request.getMethod())) {
			response.setHeader("Allow", "GET, HEAD");
			response.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
			return;
		}
		response.setContentType("text/html;charset=UTF-8");
		response.setContentLength(this.page.length);
		response.setHeader("Content-Security-Policy", this.policy);
		response.setHeader("X-Content-Type-Options", "nosniff");
		response.setHeader("Referrer-Policy", "no-referrer");
		response.setHeader("Cache-Control", "no-cache");
		if ("GET".equals(request.getMethod())) {
			response.getOutputStream().write(this.page);
		}
	}

	private static String read() {
		try {
			return new ClassPathResource(PAGE, LockConsole.class).getContentAsString(StandardCharsets.UTF_8)
				.replace("\r\n", "\n");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Nothing but what is in this file runs in the page. */
	private static String hash(String page, String element) {
		String content = page.substring(page.indexOf("<" + element + ">") + element.length() + 2,
				page.indexOf("</" + element + ">"));
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
			return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
