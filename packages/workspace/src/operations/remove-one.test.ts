import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Enclosure } from '../enclosure.ts';
import { createPace } from '../pace.ts';
import { locate } from '../resolve/locate.ts';
import { Unsettled } from '../resolve/settle.ts';
import { codeOf } from '../testing.ts';
import { trashBeside, useEnclosures } from '../use-enclosures.ts';
import { putBackAll, type Removal, removeOne } from './remove-one.ts';

const open = useEnclosures();
/** A located name, and its removal. */
function setUp(lines: readonly string[], name: string, parts: Partial<Enclosure> | 'no trash' = {}) {
  const made = open(lines, (scratch) => (parts === 'no trash' ? {} : { ...trashBeside(10)(scratch), ...parts }));
  const found = locate(made.enclosure, name, { leaf: 'keep', forChange: true });
  const intended: (string | undefined)[] = [];
  const remove = (more: Partial<Removal> = {}) =>
    removeOne(made.enclosure, {
      found,
      stat: found.stat as NonNullable<typeof found.stat>,
      bytes: found.stat?.size ?? 0,
      group: undefined,
      index: 0,
      pace: createPace(),
      intend: (trash) => void intended.push(trash),
      ...more,
    });
  return { ...made, found, remove, intended };
}

describe('a removed name', () => {
  it('is kept in the trash, and recorded before it goes', async () => {
    const { enclosure, at, remove, intended } = setUp(['f = text'], 'f');
    const item = await remove();
    expect([existsSync(at('f')), intended]).toEqual([false, [item]]);
    expect(readFileSync(enclosure.trash?.find(item as string) as string, 'utf8')).toBe('text');
  });

  it('is gone without a trash, with all that was below it', async () => {
    const { at, remove, intended } = setUp(['d/a', 'd/e/b', 'other'], 'd', 'no trash');
    expect([await remove(), intended, readdirSync(at('.'))]).toEqual([undefined, [undefined], ['other']]);
  });

  it('stays where the trash cannot keep it, unless a person agreed', async () => {
    const { at, remove } = setUp(['f = text'], 'f');
    expect(await codeOf(() => remove({ bytes: 11 }))).toBe('not_undoable');
    expect(existsSync(at('f'))).toBe(true);
    const agreed = setUp(['f = text'], 'f', { permanent: true });
    expect([await agreed.remove({ bytes: 11 }), existsSync(agreed.at('f'))]).toEqual([undefined, false]);
  });

  it('is a link itself, not what it leads to', async () => {
    const { at, remove } = setUp(['f', 'link => f'], 'link');
    await remove();
    expect(readdirSync(at('.'))).toEqual(['f']);
  });

  it.each(['no trash', {}] as const)('is not one that something else has taken meanwhile (%j)', async (parts) => {
    const { at, remove, intended } = setUp(['f = text', 'other'], 'f', parts);
    renameSync(at('other'), at('f'));
    await expect(remove()).rejects.toThrow(Unsettled);
    expect([readFileSync(at('f'), 'utf8'), intended]).toEqual(['other', []]);
  });

  it.each(['no trash', {}] as const)(
    'goes back where something else was at the name in the last moment (%j)',
    async (parts) => {
      const { at, remove } = setUp(['f = text'], 'f', parts);
      const intend = () => {
        rmSync(at('f'));
        writeFileSync(at('f'), 'of another program');
      };
      await expect(remove({ intend })).rejects.toThrow(Unsettled);
      expect(readFileSync(at('f'), 'utf8')).toBe('of another program');
    },
  );
});

it('gives back what was removed, and never over something new', async () => {
  const first = setUp(['f = text'], 'f');
  const trash = await first.remove();
  await putBackAll(first.enclosure, [{ found: first.found, trash }]);
  expect([readFileSync(first.at('f'), 'utf8'), first.enclosure.trash?.find(trash as string)]).toEqual([
    'text',
    undefined,
  ]);
  const second = setUp(['f = text'], 'f');
  const item = await second.remove();
  writeFileSync(second.at('f'), 'new');
  await putBackAll(second.enclosure, [
    { found: second.found, trash: item },
    { found: second.found, trash: undefined },
  ]);
  expect(readFileSync(second.at('f'), 'utf8')).toBe('new');
  expect(second.enclosure.trash?.find(item as string)).toBeDefined();
});
