// The frame around every page, and the headers that all pages share.

import { type Html, html, verbatim } from '../../../text/html.ts';
import { type HeaderList, pageSecurity, policyHash } from '../../server/headers.ts';
import { SCRIPT } from './pagesScript.ts';
import { STYLE } from './pagesStyle.ts';

export interface Page {
  /** The title. It must not contain a secret, because browsers store titles in their history. */
  readonly title: string;
  readonly main: Html;
  /** The content beside the name of the service at the top, such as the links of the team's pages. */
  readonly navigation?: Html;
  readonly width?: 'narrow' | 'wide';
}

/** The whole document, as bytes. */
export const renderPage = ({ title, main, navigation, width = 'narrow' }: Page): Buffer =>
  Buffer.from(
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${REFERRER}
<meta name="robots" content="noindex, nofollow">
<title>${title} · ${SERVICE}</title>
<style>${verbatim(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="masthead"><div class="masthead-row ${width}">
<span class="brand">${MARK}${SERVICE}</span>
${navigation ?? null}
</div></header>
<main id="main" class="${width}" tabindex="-1">
${main}
</main>
<footer class="foot"><p class="${width}">${SERVICE} · gross gaming revenue, turnover, exchange rates and country indicators</p></footer>
<script>${verbatim(SCRIPT)}</script>
</body>
</html>
`.markup,
  );

const SERVICE = 'Gambling data API';

/**
 * The referrer policy of a page. With `no-referrer`, as in the header, browsers send forms with `Origin: null`, which
 * cannot be checked. With `strict-origin` they send the origin, but not the path, which may contain a token.
 */
const REFERRER = html`<meta name="referrer" content="strict-origin">`;

const MARK = html`<svg viewBox="0 0 16 16" aria-hidden="true" focusable="false"><rect x="1" y="9" width="3.6" height="6" rx="1"/><rect x="6.2" y="5" width="3.6" height="10" rx="1"/><rect x="11.4" y="1" width="3.6" height="14" rx="1"/></svg>`;

/** The headers of every page (ruling 26), with a policy as in `pageSecurity`. */
export const headersWithPolicy = (policy: string): HeaderList => [
  ...['Content-Type', 'text/html; charset=utf-8'],
  ...['Cache-Control', 'no-store'],
  ...pageSecurity(policy),
  ...['X-Robots-Tag', 'noindex, nofollow'],
  ...['Vary', 'Cookie'],
];

export const PAGE_HEADERS: HeaderList = headersWithPolicy(
  `form-action 'self'; style-src ${policyHash(STYLE)}; script-src ${policyHash(SCRIPT)}`,
);
