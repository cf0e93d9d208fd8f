import { randomBytes } from 'node:crypto';
import { PAGE_SCRIPT } from './page-script.ts';
import { PAGE_STYLE } from './page-style.ts';

/** A page and its content security policy. */
export interface RenderedPage {
  readonly body: string;
  readonly csp: string;
}

/**
 * Renders the page without data: the same for every visitor. Its script loads the decisions if this browser has a key.
 */
export function renderPage(): RenderedPage {
  return frame(`${PAGE}<noscript>This page needs JavaScript.</noscript>`, PAGE_SCRIPT);
}

/**
 * Renders the page that stores this browser's key. The key goes to the storage of this address and port: a browser
 * would send a cookie to every port of this machine, including servers of other users.
 */
export function renderOpened(key: string): RenderedPage {
  const script = `localStorage.setItem('croft-guard',${JSON.stringify(key)});location.replace('/guard')`;
  return frame('<p>Opening…</p><noscript>This page needs JavaScript.</noscript>', script);
}

/** Renders the page for a one-time address that is used up or expired. */
export function renderUsed(): RenderedPage {
  return frame(lockedText('This one-time address was used before, or is older than ten minutes.'), '');
}

function lockedText(sentence: string): string {
  return `<h1>Open it from your terminal</h1>
<p>${sentence}</p>
<p>Run <code>croft guard open</code> on the machine of the guard and follow the address it prints. It works once, and this browser then remembers you for a day, or until the guard stops.</p>`;
}

/** The logo: a small enclosed field. */
const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#2f7d5b" stroke-width="2" stroke-linejoin="round"><rect x="3" y="3" width="18" height="18" rx="4"/><path d="M8 16c0-4 3.500-7 8-8-.5 5-3.500 8-8 8Z" fill="#2f7d5b" stroke="none"/></svg>';

const PAGE = `
<div id="locked" hidden>${lockedText('This page belongs to the person who started the guard on this machine.')}</div>
<div id="page" hidden>
<h1 id="headline" aria-live="polite"></h1>
<p id="where"></p>
<p class="notice" id="dry" hidden>This is a dry run: calls are judged and recorded, and all of them pass.</p>
<p class="notice" id="unwritten" hidden>Some decisions could not be written to the log file. They are counted, and the newest are still below.</p>
<p class="notice" id="gone" role="status" hidden>The guard does not answer. Below is its last known state.</p>
<ul class="stats" id="stats" aria-label="Since the guard was started"></ul>
<div class="filters">
<div class="choice" role="group" aria-label="Which calls"><button type="button" id="stopped" data-decision="block" aria-pressed="true">Blocked</button><button type="button" data-decision="allow" aria-pressed="false">Allowed</button><button type="button" data-decision="" aria-pressed="false">All</button></div>
<label>Agent <select id="agent"><option value="">all</option></select></label>
<label>Tool <select id="tool"><option value="">all</option></select></label>
</div>
<ul class="panel" id="list" aria-label="Decisions, newest first"></ul>
</div>`;

/** Wraps the content in a page: everything inline under one nonce, and requests only to this address. */
function frame(content: string, script: string): RenderedPage {
  const nonce = randomBytes(16).toString('base64');
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Croft guard</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(MARK)}">
<style nonce="${nonce}">${PAGE_STYLE}</style>
</head>
<body>
<header><span class="mark" aria-hidden="true">${MARK}</span><span class="name">Croft <span>guard</span></span></header>
<main>${content}</main>
${script === '' ? '' : `<script nonce="${nonce}">${script}</script>`}
</body>
</html>`;
  const csp = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return { body, csp };
}
