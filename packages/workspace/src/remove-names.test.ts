import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createNameRemovals } from './remove-names.ts';
import { countFileRequests, makeScratch, type Scratch } from './testing.ts';

let scratch: Scratch;
afterEach(() => scratch.remove());
const at = (name: string) => join(scratch.workspace, name);
const codeOfError = (error: unknown) => (error as NodeJS.ErrnoException).code;

it('removes names and counts those that are gone', async () => {
  scratch = makeScratch(['a', 'b', 'd/', 'stays']);
  const removals = createNameRemovals();
  await removals.unlink(at('a'));
  await removals.unlink(Buffer.from(at('b')));
  await removals.rmdir(at('d'));
  await removals.settled();
  removals.check();
  expect([readdirSync(scratch.workspace), removals.removed]).toEqual([['stays'], 3]);
});

it('leaves a directory that was filled again, and does not count what was gone already', async () => {
  scratch = makeScratch(['d/f']);
  const removals = createNameRemovals();
  await removals.rmdir(at('d'));
  await removals.rmdir(at('gone'));
  await removals.unlink(at('gone'));
  await removals.settled();
  removals.check();
  expect([existsSync(at('d/f')), removals.removed]).toEqual([true, 0]);
});

it('gives the first failure of an unlink to the next call, and removes nothing further', async () => {
  scratch = makeScratch(['file', 'other']);
  const removals = createNameRemovals();
  await removals.unlink(at('file/below'));
  await removals.settled();
  const failures = [
    await removals.unlink(at('other')).catch(codeOfError),
    ((): unknown => {
      try {
        removals.check();
        return 'none';
      } catch (error) {
        return codeOfError(error);
      }
    })(),
  ];
  expect(failures).toEqual(['ENOTDIR', 'ENOTDIR']);
  expect(existsSync(at('other'))).toBe(true);
  expect(await removals.rmdir(at('file')).catch(codeOfError)).toBe('ENOTDIR');
});

it('has two removals under way at once, in the order in which they were asked for', async () => {
  const names = Array.from({ length: 12 }, (_, i) => `f${i}`);
  scratch = makeScratch(names);
  const requests = countFileRequests();
  try {
    const removals = createNameRemovals();
    await Promise.all(names.map((name) => removals.unlink(at(name))));
    await removals.settled();
    expect([removals.removed, requests.most, requests.total]).toEqual([12, 2, 12]);
    // All turns are free again.
    rmSync(scratch.workspace, { recursive: true });
    const later = createNameRemovals();
    await Promise.all([later.unlink(at('a')), later.unlink(at('b')), later.unlink(at('c'))]);
    await later.settled();
    expect(requests.most).toBe(2);
  } finally {
    requests.stop();
  }
});
