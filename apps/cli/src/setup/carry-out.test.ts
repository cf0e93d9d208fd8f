import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { carryOut, type Wishes } from './carry-out.ts';
import type { Plan } from './plan-change.ts';
import { readFound } from './replace-file.ts';

const paint = {
  bold: (text: string) => `*${text}*`,
  dim: String,
  red: (text: string) => `<${text}>`,
  green: (text: string) => `{${text}}`,
  yellow: String,
};
const WISHES: Wishes = { remove: false, yes: false, dryRun: false, json: false };

let file: string;
let written: string;
let asked: string[];
let prepared: number;

beforeEach(() => {
  file = join(testDir(), 'settings.json');
  writeFileSync(file, 'old\n');
  [written, asked, prepared] = ['', [], 0];
});

const change = (after: string | undefined = 'new\n', path = file): Plan => ({
  kind: 'write',
  place: { id: 'cursor', title: 'Cursor', file: path },
  found: readFound(path),
  before: 'old\n',
  after,
});

function run(plan: Plan, wishes: Partial<Wishes> = {}, allows = true) {
  const person = {
    paint,
    now: new Date(0),
    write: (text: string) => void (written += text),
    async ask(question: string) {
      asked.push(question);
      return allows;
    },
  };
  return carryOut(plan, { ...WISHES, ...wishes }, person, 'is already right', () => void prepared++);
}
const content = () => readFileSync(file, 'utf8');
const about = () => ({ client: 'cursor', title: 'Cursor', file });

describe('a planned change of a configuration', () => {
  it('is shown, confirmed and written, and keeps the old content', async () => {
    const backup = `${file}.croft-backup-19700101T000000Z`;
    expect(await run(change())).toEqual({ ...about(), state: 'written', backup });
    expect(asked).toEqual([`Write this to ${file}? [y/N] `]);
    expect(written).toBe(
      `*Cursor*\n*--- ${file}*\n*+++ ${file}*\n@@ -1,1 +1,1 @@\n<-old>\n{+new}\n{written}; the old content is in ${backup}\n\n`,
    );
    expect([content(), readFileSync(backup, 'utf8'), prepared]).toEqual(['new\n', 'old\n', 1]);
  });

  it('is not made without a yes', async () => {
    expect(await run(change(), {}, false)).toEqual({ ...about(), state: 'declined' });
    expect(written).toMatch(/\{\+new\}\nNot changed\.\n\n$/);
    expect([content(), prepared]).toEqual(['old\n', 0]);
  });

  it('is made without a question with --yes, and only shown with --dry-run', async () => {
    expect(await run(change(), { dryRun: true, yes: true })).toEqual({ ...about(), state: 'shown' });
    expect(written).toMatch(/\{\+new\}\n\n$/);
    expect([content(), prepared, asked]).toEqual(['old\n', 0, []]);
    expect(await run(change(), { yes: true })).toMatchObject({ state: 'written' });
    expect([content(), asked]).toEqual(['new\n', []]);
  });

  it('removes without making the program', async () => {
    expect(await run(change(''), { remove: true })).toMatchObject({ state: 'removed' });
    expect(asked).toEqual([`Remove this from ${file}? [y/N] `]);
    expect(written).toContain('{removed}; the old content');
    expect([content(), prepared]).toEqual(['', 0]);
    writeFileSync(file, 'old\n');
    await run({ ...change(), after: undefined } as Plan, { remove: true, yes: true });
    expect(existsSync(file)).toBe(false);
  });

  it('names no backup where the file is new', async () => {
    file = join(testDir(), 'new.json');
    const plan = { ...change(), before: '' } as Plan;
    expect(await run(plan, { yes: true })).toEqual({ ...about(), state: 'written', backup: undefined });
    expect(written).toMatch(/\{written\}\n\n$/);
  });

  it('prints nothing with --json, and gives the diff without colours', async () => {
    const diff = `--- ${file}\n+++ ${file}\n@@ -1,1 +1,1 @@\n-old\n+new\n`;
    expect(await run(change(), { json: true, dryRun: true })).toEqual({ ...about(), diff, state: 'shown' });
    expect(await run(change(), { json: true }, false)).toEqual({ ...about(), diff, state: 'declined' });
    expect(await run(change(), { json: true, yes: true })).toMatchObject({ diff, state: 'written' });
    expect(written).toBe('');
  });

  it('names the target of a link', async () => {
    const link = join(testDir(), 'link.json');
    symlinkSync(file, link);
    await run(change('new\n', link), { dryRun: true });
    expect(written).toContain(`*--- ${link} (a link to ${file})*`);
  });

  it('is refused where the file was changed meanwhile', async () => {
    const plan = change();
    writeFileSync(file, 'other');
    const problem = 'was changed meanwhile; run croft setup again';
    expect(await run(plan, { yes: true })).toEqual({ ...about(), state: 'refused', problem });
    expect(written).toMatch(/<not written>: \S+ was changed meanwhile; run croft setup again\n\n$/);
    expect([content(), readdirSync(join(file, '..'))]).toEqual(['other', ['settings.json']]);
  });

  it('passes on errors of the program', async () => {
    const broken = change();
    Object.defineProperty(broken, 'found', { get: () => ({ path: Symbol('none') }) });
    await expect(run(broken, { yes: true, json: true })).rejects.toThrow();
  });
});

describe('a configuration without a change', () => {
  it('is left alone where it was refused', async () => {
    const refused = { kind: 'refused', place: change().place, problem: 'is not UTF-8 text' } as const;
    expect(await run(refused)).toEqual({ ...about(), state: 'refused', problem: 'is not UTF-8 text' });
    expect(written).toBe(`*Cursor*: <left alone>, ${file} is not UTF-8 text\n\n`);
    expect(prepared).toBe(0);
  });

  it('still gets its program, except where it is removed or only shown', async () => {
    const nothing = { kind: 'nothing', place: change().place } as const;
    expect(await run(nothing)).toEqual({ ...about(), state: 'unchanged' });
    expect(written).toBe(`*Cursor*: nothing to change, ${file} is already right\n\n`);
    expect(prepared).toBe(1);
    await run(nothing, { remove: true });
    await run(nothing, { dryRun: true });
    expect(prepared).toBe(1);
  });
});
