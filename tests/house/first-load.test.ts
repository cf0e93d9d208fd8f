import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

const DIST = fileURLToPath(new URL('../../apps/studio/dist/', import.meta.url));
const MAX_BYTES = 120 * 1024;

const sizeOf = (path: string) => readFileSync(existsSync(`${path}.gz`) ? `${path}.gz` : path).length;

it('the first page of the studio loads at most 120 KB over a connection without Brotli', () => {
  const page = readFileSync(`${DIST}index.html`, 'utf8');
  // Everything that the page names: its scripts, the modules that they import before they run, and its styles.
  const names = [...page.matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css))"/g)].map(([, name]) => name as string);
  expect(names.length).toBeGreaterThan(2);
  const sizes = names.map((name) => [name, sizeOf(`${DIST}${name}`)] as const);
  const total = gzipSync(page).length + sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  expect(total, JSON.stringify(sizes)).toBeLessThanOrEqual(MAX_BYTES);
});
