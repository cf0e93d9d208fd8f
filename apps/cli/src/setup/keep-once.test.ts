import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { palette } from '../render/colours.ts';
import type { Outcome } from './carry-out.ts';
import type { Machine } from './clients.ts';
import type { KeptProgram } from './kept-program.ts';
import { baseDirOf, keepOnce, settleCopies } from './keep-once.ts';

const WISHES = { remove: false, yes: false, dryRun: false, json: false };
let base: string;
let written: string;
let copies: number;

beforeEach(() => {
  base = testDir();
  [written, copies] = ['', 0];
  mkdirSync(join(base, 'programs', '2'), { recursive: true });
});

const kept = (isNew = true, version = '2') =>
  ({
    dir: join(base, 'programs', version),
    keep: () => {
      copies++;
      return isNew;
    },
  }) as KeptProgram;
const person = () => ({
  paint: palette({}),
  now: new Date(0),
  write: (text: string) => void (written += text),
  ask: async () => true,
  machine: { platform: 'linux', home: '/h', env: { CROFT_BASE_DIR: base }, cwd: '/' } as Machine,
});
const outcome = (state: Outcome['state'], file = join(base, 'a.json')): Outcome => ({
  client: 'cursor',
  title: 'Cursor',
  file,
  state,
});
const recorded = () => JSON.parse(readFileSync(join(base, 'programs', '2.json'), 'utf8'));

describe('the copy of the program', () => {
  it('is in the base directory of the user of the machine', () => {
    expect(baseDirOf({ platform: 'linux', home: '/h', env: { HOME: '/other' }, cwd: '/' })).toBe('/h/.croft');
    expect(baseDirOf(person().machine)).toBe(base);
  });

  it('is made once and reported', () => {
    const keep = keepOnce(kept(), WISHES, person());
    keep();
    keep();
    expect([copies, written]).toEqual([1, `Copied the program to ${join(base, 'programs', '2')}\n\n`]);
  });

  it('is not reported where it was there already, and not with --json', () => {
    keepOnce(kept(false), WISHES, person())();
    keepOnce(kept(), { ...WISHES, json: true }, person())();
    expect([copies, written]).toEqual([2, '']);
  });
});

describe('the copies after all changes', () => {
  it('records the clients that start the copy', () => {
    const [one, two, three] = ['a', 'b', 'c'].map((name) => join(base, name)) as [string, string, string];
    writeFileSync(one, join(kept().dir, 'croft.cjs'));
    const outcomes = [outcome('written', one), outcome('unchanged', two), outcome('declined', three)];
    settleCopies(kept(), outcomes, WISHES, person());
    expect(recorded().files).toEqual([one, two]);
  });

  it('removes a copy that no client starts any more', () => {
    const old = kept(true, '1');
    mkdirSync(old.dir);
    settleCopies(old, [outcome('unchanged')], WISHES, person());
    expect(existsSync(old.dir)).toBe(true);
    writeFileSync(join(base, 'a.json'), join(base, 'programs', '2', 'croft.cjs'));
    settleCopies(kept(), [outcome('written')], WISHES, person());
    expect([existsSync(old.dir), existsSync(kept().dir)]).toEqual([false, true]);
    expect(written).toBe(`Removed ${old.dir}, which no client starts any more\n\n`);
  });

  it('removes the copy after its last client was removed, without a word with --json', () => {
    settleCopies(kept(), [outcome('unchanged')], WISHES, person());
    settleCopies(
      kept(),
      [outcome('removed'), outcome('unchanged', '/b')],
      { ...WISHES, remove: true, json: true },
      person(),
    );
    expect([existsSync(kept().dir), written]).toEqual([false, '']);
  });

  it('stay where nothing was changed', () => {
    settleCopies(kept(), [outcome('unchanged')], WISHES, person());
    settleCopies(kept(), [outcome('declined')], { ...WISHES, remove: true }, person());
    expect(existsSync(kept().dir)).toBe(true);
  });

  it('are only named with --dry-run', () => {
    const dry = { ...WISHES, dryRun: true };
    settleCopies(kept(), [outcome('written')], dry, person());
    expect(written).toBe(`Clients would start a copy of this program, in ${join(base, 'programs', '2')}\n`);
    settleCopies(kept(), [], { ...dry, json: true }, person());
    settleCopies(kept(), [], { ...dry, remove: true }, person());
    expect(written.match(/\n/g)).toHaveLength(1);
    expect(existsSync(join(base, 'programs', '2.json'))).toBe(false);
  });
});
