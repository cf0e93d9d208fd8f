import type { ServerResponse } from 'node:http';

/** Where the daemon on the person's own machine listens: the studio asks it whether it is there. */
const DAEMON = 'http://127.0.0.1:7655 http://localhost:7655';

/**
 * What a page of ours may do: load what this server sends, and talk to it and to the daemon on the person's machine.
 * Styles may be inline, because components place their menus with them; scripts may not.
 */
const PAGE_POLICY = [
  "default-src 'self'",
  `connect-src 'self' ${DAEMON}`,
  "img-src 'self' data: blob:",
  "style-src 'self' 'unsafe-inline'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Sets what every answer carries. A route that sends somebody's files sets a stricter policy of its own. */
export function setSecurityHeaders(response: ServerResponse): void {
  response.setHeader('Content-Security-Policy', PAGE_POLICY);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  response.setHeader('X-Robots-Tag', 'noindex');
}
