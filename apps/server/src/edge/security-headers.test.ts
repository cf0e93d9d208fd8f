import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PAGE_POLICY, setSecurityHeaders } from './security-headers.ts';

it('is the policy that SECURITY.md documents', () => {
  const documented = readFileSync(new URL('../../../../SECURITY.md', import.meta.url), 'utf8').replace(/\s+/g, ' ');
  expect(documented).toContain(`\`${PAGE_POLICY}\``);
});

it('sets the headers of every response', () => {
  const headers: Record<string, unknown> = {};
  setSecurityHeaders({ setHeader: (name: string, value: unknown) => (headers[name] = value) } as never);
  expect(headers).toEqual({
    'Content-Security-Policy': PAGE_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Robots-Tag': 'noindex',
  });
});

it('has one rule for each kind of content', () => {
  const loads =
    "script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; media-src 'self' blob:";
  const machine = 'http://127.0.0.1:7655 http://localhost:7655';
  const rest = "frame-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'";
  expect(PAGE_POLICY).toBe(
    `default-src 'none'; ${loads}; worker-src 'self'; manifest-src 'self'; connect-src 'self' ${machine}; ${rest}`,
  );
});
