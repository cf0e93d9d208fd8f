import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { palette } from './colours.ts';

beforeEach(() => {
  vi.stubEnv('NO_COLOR', undefined);
  vi.stubEnv('FORCE_COLOR', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

it('paints on a terminal only', () => {
  const { bold, dim, red, green, yellow } = palette({ isTTY: true });
  expect([bold, dim, red, green, yellow].map((paint) => paint('x'))).toEqual([
    '\u001b[1mx\u001b[22m',
    '\u001b[2mx\u001b[22m',
    '\u001b[31mx\u001b[39m',
    '\u001b[32mx\u001b[39m',
    '\u001b[33mx\u001b[39m',
  ]);
  expect([palette({}).red('x'), palette({ isTTY: false }).red('x')]).toEqual(['x', 'x']);
});

it('follows the variables of the environment', () => {
  vi.stubEnv('FORCE_COLOR', '1');
  expect(palette({}).red('x')).not.toBe('x');
  vi.stubEnv('NO_COLOR', '1');
  expect([palette({}).red('x'), palette({ isTTY: true }).red('x')]).toEqual(['x', 'x']);
});
