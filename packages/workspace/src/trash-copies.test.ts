import { lstatSync, readdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { NotYet } from './errors.ts';
import { makeScratch, type Scratch } from './testing.ts';
import { createCopies, linkFile } from './trash-copies.ts';

let scratch: Scratch;
afterEach(() => {
  vi.useRealTimers();
  scratch.remove();
});
const at = (name: string) => join(scratch.workspace, name);
const kept = () => readdirSync(scratch.outside).sort();
const target = () => join(scratch.outside, 'item');
const LARGE = 64 * 1024 + 1;

function setUp() {
  scratch = makeScratch(['f = text', 'other = text'], []);
  writeFileSync(at('large'), Buffer.alloc(LARGE, 'l'));
  let temps = 0;
  return createCopies(() => join(scratch.outside, `temp-${temps++}`));
}

/** Places a large file, waiting for the copy. */
async function placeLarge(copies: ReturnType<typeof createCopies>, meanwhile = () => {}) {
  const expected = lstatSync(at('large'));
  try {
    copies.place(at('large'), expected, target());
    throw new Error('it was copied at once');
  } catch (error) {
    if (!(error instanceof NotYet)) throw error;
    expect(() => copies.place(at('large'), expected, target())).toThrow(NotYet);
    await error.ready;
  }
  meanwhile();
  return copies.place(at('large'), expected, target());
}

describe('a copy for the trash', () => {
  it('is there at once for a small file, with its time', () => {
    const copies = setUp();
    utimesSync(at('f'), 1, 7);
    expect(copies.place(at('f'), lstatSync(at('f')), target())).toBe(true);
    expect([readFileSync(target(), 'utf8'), statSync(target()).mtimeMs]).toEqual(['text', 7_000]);
  });

  it('of a large file is made first, once, and then takes its name', async () => {
    const copies = setUp();
    expect(await placeLarge(copies)).toBe(true);
    expect([kept(), statSync(target()).size]).toEqual([['item'], LARGE]);
  });

  it('is not kept of a file that was changed or exchanged meanwhile', async () => {
    const copies = setUp();
    expect(await placeLarge(copies, () => writeFileSync(at('large'), 'changed'))).toBe(false);
    expect(kept()).toEqual([]);
    writeFileSync(at('large'), Buffer.alloc(LARGE));
    const exchange = () => {
      writeFileSync(at('new'), Buffer.alloc(LARGE));
      renameSync(at('new'), at('large'));
    };
    expect(await placeLarge(copies, exchange)).toBe(false);
    expect(kept()).toEqual([]);
  });

  it.each(['complete', 'failed'])('is forgotten if its caller does not come back: a %s one', async (how) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    setUp();
    let directory = how === 'failed' ? 'no/such' : '.';
    const copies = createCopies(() => join(scratch.outside, directory, 'temp'));
    const expected = lstatSync(at('large'));
    const place = () => copies.place(at('large'), expected, target());
    const begin = () =>
      (async () => place())().catch(async (error: unknown) => {
        if (!(error instanceof NotYet)) throw error;
        await error.ready;
        return 'begun';
      });
    expect(await begin()).toBe('begun');
    directory = '.';
    vi.advanceTimersByTime(59_999);
    expect(kept()).toEqual(how === 'failed' ? [] : ['temp']);
    vi.advanceTimersByTime(1);
    await vi.waitFor(() => expect(kept()).toEqual([]));
    expect(await begin()).toBe('begun');
    expect([place(), kept()]).toEqual([true, ['item']]);
    vi.advanceTimersByTime(60_000);
    expect(kept()).toEqual(['item']);
  });

  it('leaves no descriptor open', () => {
    const copies = setUp();
    const before = readdirSync('/proc/self/fd').length;
    copies.place(at('f'), lstatSync(at('f')), target());
    copies.place(at('other'), lstatSync(at('f')), target());
    expect(readdirSync('/proc/self/fd')).toHaveLength(before);
  });

  it('is not made of something else at the name, or of nothing', () => {
    const copies = setUp();
    expect(copies.place(at('other'), lstatSync(at('f')), target())).toBe(false);
    expect(copies.place(at('large'), lstatSync(at('f')), target())).toBe(false);
    expect(copies.place(at('gone'), lstatSync(at('f')), target())).toBe(false);
    expect(kept()).toEqual([]);
  });

  it('fails where it cannot be written, and is tried again by the next call', async () => {
    setUp();
    let directory = 'no/such';
    const copies = createCopies(() => join(scratch.outside, directory, 'temp'));
    expect(await placeLarge(copies)).toBeUndefined();
    directory = '.';
    expect(await placeLarge(copies)).toBe(true);
  });
});

describe('a second name for the trash', () => {
  it('is a link to the file', () => {
    setUp();
    expect(linkFile(at('f'), target(), lstatSync(at('f')))).toBe(true);
    expect(statSync(target()).ino).toBe(statSync(at('f')).ino);
  });

  it('is not kept of something else, and cannot be made in every place', () => {
    setUp();
    expect(linkFile(at('other'), target(), lstatSync(at('f')))).toBe(false);
    expect(kept()).toEqual([]);
    expect(linkFile(at('gone'), target(), lstatSync(at('f')))).toBe(false);
    expect(linkFile(at('.'), target(), lstatSync(at('.')))).toBeUndefined();
  });
});
