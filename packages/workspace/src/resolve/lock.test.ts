import { existsSync, fstatSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LOCK_NAME } from '../temp-name.ts';
import { failureOf, makeScratch, type Scratch } from '../testing.ts';
import { openDir } from './dir.ts';
import { located, type Located } from './located.ts';
import { withLock } from './lock.ts';
import { loadNative, type Native } from './native.ts';
import { openRoot, type ResolverKind, type Root } from './root.ts';

let scratch: Scratch;
const roots: Root[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const root of roots.splice(0)) root.close();
  scratch.remove();
});

function openTwice(resolver: ResolverKind): readonly [Root, Root] {
  scratch = makeScratch(['a/', 'b/']);
  const pair = [openRoot(scratch.workspace, resolver), openRoot(scratch.workspace, resolver)] as const;
  roots.push(...pair);
  return pair;
}

/** A name in a directory below the root, held by a handle of its own; in the root itself without `below`. */
function nameIn(root: Root, below?: string): Located {
  const dir = below === undefined ? root.dir : openDir(root.dir.at(below), root.dirKind);
  const parts = below === undefined ? ['f'] : [below, 'f'];
  return located({ written: 'f', root, parts }, dir, 'f', parts, undefined, below === undefined ? [] : [dir]);
}

describe.each(['openat2', 'walk', 'portable'] as const)('the lock of a directory, resolver %s', (resolver) => {
  it('is held by one call at a time, and the other one gives up with nothing done', async () => {
    const [one, two] = openTwice(resolver);
    const [mine, yours] = [nameIn(one, 'a'), nameIn(two, 'a')];
    let acts = 0;
    let now = 0;
    // A call waits for two seconds. Each reading of the clock is a second later.
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
    const failure = await failureOf(() =>
      withLock(one, [mine], () =>
        withLock(two, [yours], () => {
          acts++;
        }),
      ),
    );
    expect([failure.code, acts, now]).toEqual(['busy', 0, 4_000]);
    expect(failure.message).toBe(
      'Other calls are changing the same place, and this one did not get its turn. Nothing was changed; try again.',
    );
    vi.restoreAllMocks();
    // The failed call released the outer lock as well.
    expect(withLock(two, [yours], () => 'held')).toBe('held');
    mine.close();
    yours.close();
  });

  it('is another one for another directory, and for the root', () => {
    const [one, two] = openTwice(resolver);
    const places = [nameIn(one, 'a'), nameIn(two, 'b'), nameIn(two)] as const;
    expect(
      withLock(one, [places[0]], () => withLock(two, [places[1]], () => withLock(two, [places[2]], () => 'all'))),
    ).toBe('all');
    for (const place of places) place.close();
  });

  it('is taken once for two names of one directory, and not again where it is held', () => {
    const [one, two] = openTwice(resolver);
    const [first, second] = [nameIn(one, 'a'), nameIn(one, 'a')];
    expect(withLock(one, [first, second, nameIn(one, 'b')], () => 'once')).toBe('once');
    // `flock` needs no file.
    const hasFile = (place: Located) => withLock(one, [place], () => existsSync(place.dir.at(LOCK_NAME)));
    const isNative = resolver === 'openat2' && loadNative() !== undefined;
    expect([hasFile(first), hasFile(nameIn(one))]).toEqual([!isNative, !isNative]);
    const again = withLock(one, [first], () => withLock(two, [{ ...second, isLocked: true }], () => 'held already'));
    expect(again).toBe('held already');
    first.close();
    second.close();
  });

  it('is released when the act throws, and leaves no file', () => {
    const [one, two] = openTwice(resolver);
    const place = nameIn(one, 'a');
    expect(() =>
      withLock(one, [place], () => {
        throw new Error('failed');
      }),
    ).toThrow('failed');
    expect(withLock(two, [nameIn(two, 'a')], () => 'free')).toBe('free');
    expect(existsSync(place.dir.at(LOCK_NAME))).toBe(false);
    place.close();
  });
});

it.runIf(loadNative() !== undefined)('is taken in the order of the inodes, whatever the order of the places', () => {
  const [root] = openTwice('openat2');
  const native = loadNative() as Native;
  const { tryLock } = native;
  const inodes: number[] = [];
  vi.spyOn(native, 'tryLock').mockImplementation((fd) => {
    const result = tryLock(fd);
    if (result === 0) inodes.push(fstatSync(fd).ino);
    return result;
  });
  const [a, b] = [nameIn(root, 'a'), nameIn(root, 'b')];
  for (const places of [
    [a, b],
    [b, a],
    [b, a, b],
  ]) {
    inodes.length = 0;
    withLock(root, places, () => undefined);
    expect(inodes).toEqual([a, b].map(({ dir }) => fstatSync(dir.fd).ino).sort((one, other) => one - other));
  }
  a.close();
  b.close();
});
