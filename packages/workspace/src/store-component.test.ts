import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { componentFile, filesOfClass } from './component-files.ts';
import { storeComponent } from './store-component.ts';
import { codeOf } from './testing.ts';
import { useEnclosures } from './use-enclosures.ts';

const open = useEnclosures();
const mine = componentFile('Sum', 'generated', 'mine');
const theirs = componentFile('Sum', 'generated', 'theirs');

it('keeps a generated source for each conversation beside the saved one', () => {
  const { enclosure, at } = open(['Sum.ts = saved']);
  for (const conversation of ['mine', 'theirs'])
    storeComponent(enclosure, { className: 'Sum', code: conversation, origin: 'generated', conversation });
  expect(readdirSync(at('.')).sort()).toEqual([mine, theirs, 'Sum.ts'].sort());
  expect(readFileSync(at(mine), 'utf8')).toBe('mine');
});

it('saves in the place of the source of its conversation, and of those with the same code', () => {
  const { enclosure, at } = open([
    `${mine} = draft`,
    `${theirs} = other`,
    `${componentFile('Sum', 'generated', 'same')} = code`,
  ]);
  storeComponent(enclosure, { className: 'Sum', code: 'code', origin: 'saved', conversation: 'mine' });
  expect(readdirSync(at('.')).sort()).toEqual([theirs, 'Sum.ts'].sort());
  storeComponent(enclosure, { className: 'Sum', code: 'newer', origin: 'saved', conversation: undefined });
  expect([existsSync(at(theirs)), readFileSync(at('Sum.ts'), 'utf8')]).toEqual([true, 'newer']);
});

it('makes the written source the newest of its class, whatever the clock says', () => {
  const { enclosure, at } = open([`${theirs} = other`]);
  const later = Date.now() / 1_000 + 1_000;
  utimesSync(at(theirs), later, later);
  storeComponent(enclosure, { className: 'Sum', code: 'code', origin: 'saved', conversation: undefined });
  expect(filesOfClass(enclosure, 'Sum')[0]?.name).toBe('Sum.ts');
  expect(statSync(at('Sum.ts')).mtimeMs - statSync(at(theirs)).mtimeMs).toBeCloseTo(1, 0);
  writeFileSync(at('Alone.ts'), 'x');
  storeComponent(enclosure, { className: 'Alone', code: 'code', origin: 'saved', conversation: undefined });
  expect(statSync(at('Alone.ts')).mtimeMs).toBeGreaterThan(1_000_000);
});

it('refuses a name that another class has but for its case', async () => {
  const { enclosure } = open(['Sum.ts']);
  const store = (className: string) =>
    codeOf(() => storeComponent(enclosure, { className, code: 'x', origin: 'saved', conversation: undefined }));
  expect([await store('SUM'), await store('Sum')]).toEqual(['exists', 'done']);
});
