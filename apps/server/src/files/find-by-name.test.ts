import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeSearchWorkers, openWorkspace, type Workspace } from '@croft/workspace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import { findByName } from './find-by-name.ts';

const dir = fileDir();
let workspace: Workspace;
const { signal } = new AbortController();
const find = async (text: string) => (await findByName(workspace, text, signal)).matches.map(({ path }) => path);

beforeAll(() => {
  for (const folder of ['docs/Reports', 'many']) mkdirSync(join(dir, folder), { recursive: true });
  for (const file of ['docs/Reports/plan.md', 'Übung [1].txt', '{a,b}.txt', 'straße', 'a..b', '.env', 'ΣΑΣ'])
    writeFileSync(join(dir, file), 'x');
  workspace = openWorkspace(dir, { limits: { backtrackTimeoutMs: 600_000, searchTimeoutMs: 600_000 } });
});
afterAll(async () => {
  workspace.close();
  await closeSearchWorkers();
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

  it('waits for a search thread while this thread continues, and reports when there are more matches', async () => {
    for (let i = 0; i < 200; i++) writeFileSync(join(dir, 'many', `file-${i}.txt`), '');
    writeFileSync(join(dir, 'slow'), `${'a'.repeat(4_000)}\n`.repeat(50));
    const ending = new AbortController();
    // A workspace has two threads at most. Neither search ends before it is cancelled.
    const slow = [1, 2].map(() =>
      workspace.grep({ pattern: '(a{1,30}){1,30}b', isRegex: true, path: 'slow', signal: ending.signal }),
    );
    let isFound = false;
    const found = findByName(workspace, 'FILE-', signal).finally(() => {
      isFound = true;
    });
    for (let turns = 0; turns < 100; turns++) await new Promise(setImmediate);
    expect(isFound).toBe(false);
    ending.abort();
    expect((await Promise.allSettled(slow)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const { matches, truncated } = await found;
    expect([matches.length, truncated]).toEqual([100, true]);
  });
});
