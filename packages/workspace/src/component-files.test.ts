import { createHash } from 'node:crypto';
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  checkClassName,
  checkSource,
  COMPONENT_FILE,
  componentEntries,
  componentFile,
  conversationTag,
  filesOfClass,
  MAX_COMPONENT_BYTES,
  readComponents,
  readGenerated,
  removeFile,
  requireFreeName,
} from './component-files.ts';
import { codeOf, refusalOf } from './testing.ts';
import { useEnclosures } from './use-enclosures.ts';

const open = useEnclosures();
const SAVED = 'Sum.ts';
const GENERATED = componentFile('Sum', 'generated', 'talk');

/** A store with these files, each with its own time in seconds. */
function setUp(files: Readonly<Record<string, number>>) {
  const { enclosure, at } = open(Object.keys(files));
  for (const [name, time] of Object.entries(files)) utimesSync(at(name), time, time);
  return { store: enclosure, at };
}

describe('the file of a component', () => {
  it('is named after its class, and a generated one after its conversation', () => {
    expect([componentFile('Sum', 'saved', 'talk'), componentFile('Sum', 'generated')]).toEqual([
      SAVED,
      'Sum.generated.ts',
    ]);
    expect(GENERATED).toBe(`Sum.generated-${conversationTag('talk')}.ts`);
    expect(conversationTag('../any text')).toMatch(/^[0-9a-f]{16}$/);
    for (const name of [SAVED, GENERATED, 'Sum.generated.ts']) expect(COMPONENT_FILE.test(name), name).toBe(true);
    for (const name of ['sum.ts', 'Sum.js', 'Sum.generated-x.ts', 'a/Sum.ts'])
      expect(COMPONENT_FILE.test(name), name).toBe(false);
  });

  it('has a name and a source that can be stored', async () => {
    expect(await codeOf(() => checkClassName('A'.repeat(64)))).toBe('done');
    for (const name of ['A'.repeat(65), 'sum', '1A', 'A-b', '', 'Con'])
      expect(await codeOf(() => checkClassName(name)), name).toBe('invalid');
    expect(refusalOf(() => checkSource('Sum', ' \n'))).toBe('The code is empty');
    expect(await codeOf(() => checkSource('Sum', 'x'.repeat(MAX_COMPONENT_BYTES)))).toBe('done');
    expect(refusalOf(() => checkSource('Sum', 'é'.repeat(MAX_COMPONENT_BYTES / 2 + 1)))).toContain(
      'exceeds limit of 1048576',
    );
  });

  it('needs a name that differs in more than its case', async () => {
    const { store } = setUp({ [SAVED]: 1 });
    expect(await codeOf(() => requireFreeName(store, 'Sum', SAVED))).toBe('done');
    expect(await codeOf(() => requireFreeName(store, 'Other', 'Other.ts'))).toBe('done');
    expect(await codeOf(() => requireFreeName(store, 'SUM', 'SUM.ts'))).toBe('exists');
  });
});

it('says why a component cannot be stored', () => {
  expect([
    refusalOf(() => checkClassName('A'.repeat(65))),
    refusalOf(() => checkClassName('a')),
    refusalOf(() => checkClassName('Nul')),
    refusalOf(() => checkSource('a', 'x')),
    refusalOf(() => checkSource('Sum', 'x'.repeat(1_048_577))),
  ]).toEqual([
    'class_name length 65 exceeds max 64 (Windows MAX_PATH safeguard)',
    'A component is named after its class: letters, digits and underscores, and a capital letter first',
    "Path component 'Nul.ts' is a Windows reserved name",
    'A component is named after its class: letters, digits and underscores, and a capital letter first',
    'code size 1048577 bytes exceeds limit of 1048576 bytes',
  ]);
  expect(conversationTag('talk')).toBe(createHash('sha256').update('talk').digest('hex').slice(0, 16));
  expect('Sum.generated-0123456789abcdef.ts'.match(COMPONENT_FILE)?.slice(1)).toEqual([
    'Sum',
    '.generated-0123456789abcdef',
    '0123456789abcdef',
  ]);
});

it('has 1,000 components at most, and twice as many files', async () => {
  const { store, at } = setUp({ 'Sum.ts': 1 });
  const refusal = (className: string, file: string) => refusalOf(() => requireFreeName(store, className, file));
  for (let n = 1; n < 999; n++) writeFileSync(at(`C${n}.ts`), '');
  expect(refusal('SUM', 'SUM.ts')).toBe('The component Sum has the same name but for its case');
  expect(refusal('New', 'New.ts')).toBe('accepted');
  writeFileSync(at('C999.ts'), '');
  expect([refusal('New', 'New.ts'), refusal('Sum', GENERATED)]).toEqual([
    'The workspace has 1000 components, and may have no more',
    'accepted',
  ]);
  for (let n = 1; n < 1_000; n++) writeFileSync(at(componentFile(`C${n}`, 'generated')), '');
  expect(refusal('Sum', GENERATED)).toBe('accepted');
  writeFileSync(at('Sum.generated.ts'), '');
  expect([refusal('Sum', GENERATED), refusal('Sum', 'Sum.ts')]).toEqual([
    'The workspace has 2000 components, and may have no more',
    'accepted',
  ]);
  expect(await codeOf(() => requireFreeName(store, 'Sum', GENERATED))).toBe('quota');
});

describe('the components of a store', () => {
  it('are the newest of each class', async () => {
    const { store } = setUp({ [SAVED]: 5, [GENERATED]: 9, 'Other.ts': 1, 'notes.md': 1 });
    expect(filesOfClass(store, 'Sum').map(({ name, origin, modifiedMs }) => [name, origin, modifiedMs])).toEqual([
      [GENERATED, 'generated', 9_000],
      [SAVED, 'saved', 5_000],
    ]);
    const { components, skipped } = await readComponents(store);
    expect(components).toEqual([
      { className: 'Other', code: 'Other.ts', origin: 'saved' },
      { className: 'Sum', code: GENERATED, origin: 'generated', coversSaved: true },
    ]);
    expect(skipped).toEqual([{ file: 'notes.md', reason: 'It is not a TypeScript file named after a class.' }]);
    expect(componentEntries(store).others.map(({ name }) => name)).toEqual(['notes.md']);
  });

  it('leave out a file that cannot be read, in favour of an older one', async () => {
    const { store, at } = setUp({ [SAVED]: 5, [GENERATED]: 9 });
    writeFileSync(at(GENERATED), Buffer.from([0xff]));
    utimesSync(at(GENERATED), 9, 9);
    const { components, skipped } = await readComponents(store);
    expect(components).toEqual([{ className: 'Sum', code: SAVED, origin: 'saved' }]);
    expect(skipped).toEqual([{ file: GENERATED, reason: 'The file is not UTF-8 text.' }]);
  });

  it('lose what a killed process left, and can be removed', async () => {
    const { store, at } = setUp({ [SAVED]: 1 });
    const left = at(`.croft-tmp-${process.pid}-0-00000000-000000000000`);
    writeFileSync(left, '');
    utimesSync(left, 1, 1);
    await readComponents(store);
    expect(existsSync(left)).toBe(false);
    expect([await removeFile(store, SAVED), await removeFile(store, SAVED)]).toEqual([true, false]);
    expect(readdirSync(at('.')).filter((name) => name.endsWith('.ts'))).toEqual([]);
  });
});

it('reads what a conversation generated, and else the only source of a class', async () => {
  const { store } = setUp({ [GENERATED]: 9, [SAVED]: 5 });
  expect(await readGenerated(store, 'Sum', 'talk')).toEqual({
    className: 'Sum',
    code: GENERATED,
    origin: 'generated',
    coversSaved: true,
  });
  expect(await readGenerated(store, 'Sum', 'other')).toBeUndefined();
  const { store: single } = setUp({ [GENERATED]: 9 });
  expect(await readGenerated(single, 'Sum', 'other')).toEqual({
    className: 'Sum',
    code: GENERATED,
    origin: 'generated',
  });
  const { store: saved } = setUp({ [SAVED]: 9 });
  expect(await readGenerated(saved, 'Sum', 'talk')).toBeUndefined();
});
