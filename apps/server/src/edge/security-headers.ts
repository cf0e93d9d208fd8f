import type { ServerResponse } from 'node:http';

/** The addresses of the daemon on the user's own machine: the studio asks there whether it runs. */
const DAEMON = 'http://127.0.0.1:7655 http://localhost:7655';

/**
 * Pages load scripts, styles, images, sound and workers from this server only, and connect to it and to the daemon on the
 * user's machine. Everything else is refused. Inline styles are allowed, because components position their menus with them;
 * inline scripts are not. SECURITY.md has this policy.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "media-src 'self' blob:",
  "worker-src 'self'",
  "manifest-src 'self'",
  `connect-src 'self' ${DAEMON}`,
  "frame-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Sets the security headers of every response. A route that sends users' files sets a stricter policy. */
export function setSecurityHeaders(response: ServerResponse): void {
  response.setHeader('Content-Security-Policy', PAGE_POLICY);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  response.setHeader('X-Robots-Tag', 'noindex');
}
