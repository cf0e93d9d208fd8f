import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PAGE_POLICY } from './security-headers.ts';

it('is the policy that SECURITY.md documents', () => {
  const documented = readFileSync(new URL('../../../../SECURITY.md', import.meta.url), 'utf8').replace(/\s+/g, ' ');
  expect(documented).toContain(`\`${PAGE_POLICY}\``);
});

it('allows nothing that it does not name, and no inline script', () => {
  expect(PAGE_POLICY).toMatch(/^default-src 'none'; /);
  expect(/script-src ([^;]*)/.exec(PAGE_POLICY)?.[1]).toBe("'self'");
});
