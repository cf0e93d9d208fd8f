import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { makeScratch, type Scratch } from '../testing.ts';
import { landlockAbi, restrictProcess, selfTest } from './landlock.ts';

let scratch: Scratch | undefined;
afterEach(() => {
  vi.unstubAllEnvs();
  scratch?.remove();
});

it('is not claimed where io_uring could read with the rights of before', () => {
  vi.stubEnv('UV_USE_IO_URING', '1');
  expect(restrictProcess({ read: [], write: [] })).toEqual({
    active: false,
    reason: 'UV_USE_IO_URING is set, which Landlock does not cover',
  });
});

it('is not claimed while a file that must not be readable can be read, or is missing', async () => {
  scratch = makeScratch([]);
  const canary = join(scratch.base, 'canary');
  expect(await selfTest(canary)).toBe(false);
  writeFileSync(canary, 'x');
  expect(await selfTest(canary)).toBe(false);
});

it('has a version that is not negative', () => {
  expect(landlockAbi()).toBeGreaterThanOrEqual(0);
});
