import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { type KeptProgram, programsDir } from './kept-program.ts';
import { recordUse, removeUnusedPrograms } from './program-uses.ts';

let base: string;
let client: string;
beforeEach(() => {
  base = testDir();
  client = join(base, 'client.json');
});

/** A kept copy of this version; the client starts it where `isNamed`. */
function keep(version: string, isNamed = true): KeptProgram {
  const dir = join(programsDir(base), version);
  mkdirSync(dir, { recursive: true });
  if (isNamed) writeFileSync(client, JSON.stringify({ command: join(dir, 'croft.cjs') }));
  return { dir } as KeptProgram;
}
const isKept = (version: string) => existsSync(join(programsDir(base), version));

describe('a copy of the program', () => {
  it('is removed when no recorded configuration names it any more', () => {
    recordUse(keep('1.0.0'), client);
    expect([removeUnusedPrograms(base), isKept('1.0.0')]).toEqual([[], true]);
    writeFileSync(client, '{}');
    expect(removeUnusedPrograms(base)).toEqual([join(programsDir(base), '1.0.0')]);
    expect([isKept('1.0.0'), existsSync(join(programsDir(base), '1.0.0.json'))]).toEqual([false, false]);
  });

  it('stays while any of several configurations names it, in any quoting and with the exact version', () => {
    const kept = keep('1.0.0', false);
    const windows = join(base, 'windows.toml');
    recordUse(kept, client);
    recordUse(kept, windows);
    writeFileSync(client, `programs/1.0.0-beta/croft.cjs programs/1x0.0/croft.cjs`);
    writeFileSync(windows, 'command = "C:\\\\programs\\\\1.0.0\\\\croft.cjs"');
    expect(removeUnusedPrograms(base)).toEqual([]);
    writeFileSync(windows, '');
    expect(removeUnusedPrograms(base)).toHaveLength(1);
  });

  it('stays where its path was shown for pasting, its record is missing, or a configuration cannot be read', () => {
    recordUse(keep('1.0.0'), undefined);
    keep('2.0.0', false);
    const unreadable = join(base, 'folder.json');
    mkdirSync(unreadable);
    recordUse(keep('3.0.0', false), unreadable);
    recordUse(keep('4.0.0', false), join(base, 'none.json'));
    writeFileSync(client, '');
    expect(removeUnusedPrograms(base)).toEqual([join(programsDir(base), '4.0.0')]);
    expect(removeUnusedPrograms(join(base, 'elsewhere'))).toEqual([]);
  });

  it('that was pasted once stays also when a configuration is recorded later', () => {
    const kept = keep('1.0.0');
    recordUse(kept, undefined);
    recordUse(kept, client);
    writeFileSync(client, '');
    expect(removeUnusedPrograms(base)).toEqual([]);
  });
});

it('records each configuration once, readable for this user only', () => {
  const kept = keep('1.0.0');
  const record = join(programsDir(base), '1.0.0.json');
  const read = () => JSON.parse(readFileSync(record, 'utf8')) as unknown;
  recordUse(kept, client);
  recordUse(kept, client);
  expect(read()).toEqual({ files: [client], pasted: false });
  recordUse(kept, 'other');
  recordUse(kept, undefined);
  expect(read()).toEqual({ files: [client, 'other'], pasted: true });
  expect(statSync(record).mode & 0o777).toBe(0o600);
  expect(readFileSync(record, 'utf8')).toMatch(/^\{\n {2}"files"[^]*\}\n$/);
});

it.each(['{"files":"x","pasted":false}', '{"files":[],"pasted":1}', '{', 'null'])(
  'keeps a copy whose record is %s, and records it again',
  (record) => {
    const kept = keep('1.0.0');
    writeFileSync(join(programsDir(base), '1.0.0.json'), record);
    expect([removeUnusedPrograms(base), isKept('1.0.0')]).toEqual([[], true]);
    recordUse(kept, client);
    writeFileSync(client, '');
    expect(removeUnusedPrograms(base)).toHaveLength(1);
  },
);

it('leaves hidden directories and files alone', () => {
  recordUse(keep('.new', false), client);
  writeFileSync(join(programsDir(base), '2.0.0'), '');
  writeFileSync(join(programsDir(base), '2.0.0.json'), '{"files":[],"pasted":false}');
  expect([removeUnusedPrograms(base), isKept('.new'), isKept('2.0.0')]).toEqual([[], true, true]);
});

it('removes a copy with its files, and those that no configuration names of several', () => {
  const old = keep('1.0.0', false);
  recordUse(old, client);
  recordUse(keep('2.0.0'), client);
  writeFileSync(join(old.dir, 'croft.cjs'), '');
  expect(removeUnusedPrograms(base)).toEqual([join(programsDir(base), '1.0.0')]);
  expect([isKept('1.0.0'), isKept('2.0.0')]).toEqual([false, true]);
});
