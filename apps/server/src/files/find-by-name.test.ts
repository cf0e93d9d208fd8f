import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeSearchWorkers, openWorkspace, type Workspace } from '@croft/workspace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findByName } from './find-by-name.ts';

let dir: string;
let workspace: Workspace;
const { signal } = new AbortController();
const find = async (text: string) => (await findByName(workspace, text, signal)).matches.map(({ path }) => path);

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'croft-names-'));
  for (const folder of ['docs/Reports', 'many']) mkdirSync(join(dir, folder), { recursive: true });
  for (const file of ['docs/Reports/plan.md', 'Übung [1].txt', '{a,b}.txt', 'straße', 'a..b', '.env', 'ΣΑΣ'])
    writeFileSync(join(dir, file), 'x');
  workspace = openWorkspace(dir);
});
afterAll(async () => {
  workspace.close();
  await closeSearchWorkers();
  rmSync(dir, { recursive: true });
});

describe('a search by name', () => {
  it.each([
    ['PLAN', ['docs/Reports/plan.md']],
    ['report', ['docs/Reports']],
    ['reports/PL', ['docs/Reports/plan.md']],
    ['übung [1]', ['Übung [1].txt']],
    ['[', ['Übung [1].txt']],
    ['{a,b}', ['{a,b}.txt']],
    ['STRAßE', ['straße']],
    ['σας', ['ΣΑΣ']],
    ['..b', ['a..b']],
    ['*', []],
    ['?', []],
    ['[!x]', []],
    ['..', ['a..b']],
    ['docs/../docs', []],
    ['.m', ['docs/Reports/plan.md']],
    ['/', []],
    ['env', []],
    ['x'.repeat(300), []],
  ])('takes what is written for what it says: %s', async (text, paths) => {
    expect(await find(text)).toEqual(paths);
  });

  it('runs in a thread of its own, so other requests continue, and reports when there are more matches', async () => {
    for (let i = 0; i < 2_000; i++) writeFileSync(join(dir, 'many', `file-${i}.txt`), '');
    await find('warm');
    let turns = 0;
    let isDone = false;
    const turn = () => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    const found = await findByName(workspace, 'FILE-', signal);
    isDone = true;
    expect([found.matches.length, found.truncated]).toEqual([100, true]);
    // In this thread the whole walk would be one turn.
    expect(turns).toBeGreaterThan(3);
  });
});
