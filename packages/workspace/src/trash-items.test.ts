import { lstatSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { testDir } from '../../../tests/support/temp-dir.ts';
import { createPace } from './pace.ts';
import { chooseDropped, itemName, itemsIn, markOf, newGroup, readItemName } from './trash-items.ts';

describe('the name of a kept item', () => {
  it('gives its size, its origin and its successor back', () => {
    const group = newGroup();
    const successor = '0123456789ab';
    const all = [
      { bytes: 0, index: 0 },
      { bytes: 35, index: 1, successor },
      { bytes: 36, index: 12, isOwn: true },
      { bytes: 2 ** 40, index: 3, successor, isOwn: true },
    ];
    for (const item of all) {
      const name = itemName(group, item);
      expect(readItemName(name)).toEqual({
        name,
        group,
        bytes: item.bytes,
        successor: item.successor,
        isOwn: item.isOwn ?? false,
      });
    }
  });

  it('is not any other name', () => {
    const name = itemName(newGroup(), { bytes: 1, index: 0 });
    for (const other of ['', 'f', `${name}.tmp`, `x-${name}`, name.toUpperCase(), `../${name}`])
      expect(readItemName(other), other).toBeUndefined();
  });

  it('sorts by time, also within a millisecond and beyond its 4,096 places', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const groups = Array.from({ length: 5_000 }, newGroup);
    vi.useRealTimers();
    expect(new Set(groups).size).toBe(5_000);
    expect(groups.map((group) => readItemName(itemName(group, { bytes: 1, index: 0 }))?.group)).toEqual(groups);
    expect([...groups].sort()).toEqual(groups);
  });
});

it('lists kept items oldest first, and none of a missing directory', () => {
  const dir = testDir();
  const names = Array.from({ length: 3 }, () => itemName(newGroup(), { bytes: 1, index: 0 }));
  for (const name of [...names].reverse()) writeFileSync(join(dir, name), '');
  writeFileSync(join(dir, 'of-somebody-else'), '');
  expect(itemsIn(dir).map(({ name }) => name)).toEqual(names);
  expect(itemsIn(join(dir, 'missing'))).toEqual([]);
});

it('marks a file by its size and its time', () => {
  const at = join(testDir(), 'f');
  const mark = (text: string, seconds: number) => {
    writeFileSync(at, text);
    utimesSync(at, seconds, seconds);
    return markOf(lstatSync(at));
  };
  const first = mark('same size', 1_000);
  expect(mark('same-size', 1_000)).toBe(first);
  expect(mark('longer text', 1_000)).not.toBe(first);
  expect(mark('same size', 1_001)).not.toBe(first);
});

describe('what is dropped to keep the bounds', () => {
  /** Keeps items of these sizes, each in its group, and returns the names that are dropped. */
  async function dropped(
    items: readonly { bytes: number; isOwn?: boolean; group?: string }[],
    bounds: { maxBytes?: number; maxItems?: number },
    spared?: number,
  ): Promise<number[]> {
    const dir = testDir();
    const kept = items.map(({ bytes, isOwn, group }, index) => ({
      group: group ?? `${newGroup()}`,
      name: '',
      bytes,
      index,
      isOwn: isOwn ?? false,
    }));
    for (const item of kept) writeFileSync(join(dir, (item.name = itemName(item.group, item))), '');
    mkdirSync(join(dir, 'no-item'));
    const all = { maxBytes: bounds.maxBytes ?? 1e9, maxItems: bounds.maxItems ?? 1e9 };
    const chosen = await chooseDropped(dir, all, kept[spared ?? -1]?.group, createPace());
    return chosen.map(({ name }) => kept.findIndex((item) => item.name === name));
  }
  const tens = [{ bytes: 10 }, { bytes: 10 }, { bytes: 10 }, { bytes: 10 }];

  it('is nothing at the bounds, and the oldest above them', async () => {
    expect(await dropped(tens, { maxBytes: 40 })).toEqual([]);
    expect(await dropped(tens, { maxBytes: 39 })).toEqual([0]);
    expect(await dropped(tens, { maxBytes: 20 })).toEqual([0, 1]);
    expect(await dropped(tens, { maxItems: 4 })).toEqual([]);
    expect(await dropped(tens, { maxItems: 2 })).toEqual([0, 1]);
  });

  it('is never the newest group or the spared one', async () => {
    expect(await dropped(tens, { maxBytes: 0 })).toEqual([0, 1, 2]);
    expect(await dropped(tens, { maxBytes: 0 }, 1)).toEqual([0, 2]);
  });

  it('is the content that tools wrote before what they replaced first', async () => {
    const items = [{ bytes: 10 }, { bytes: 10, isOwn: true }, { bytes: 10, isOwn: true }, { bytes: 10 }];
    expect(await dropped(items, { maxBytes: 30 })).toEqual([1]);
    expect(await dropped(items, { maxBytes: 10 })).toEqual([1, 2, 0]);
  });

  it('is a whole group, which is an original as well where a tool wrote one of its files', async () => {
    const group = newGroup();
    const items = [
      { bytes: 10, group, isOwn: true },
      { bytes: 10, group },
      { bytes: 10 },
      { bytes: 10, isOwn: true },
      { bytes: 1 },
    ];
    expect(await dropped(items, { maxBytes: 31 })).toEqual([3]);
    expect(await dropped(items, { maxBytes: 20 })).toEqual([3, 0, 1]);
  });
});
