import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { makeScratch, type Scratch } from '../testing.ts';

const built = fileURLToPath(new URL('../../dist/index.js', import.meta.url));

let scratch: Scratch;
afterEach(() => scratch.remove());

/** The results of searches by a process that may not read everything; root may, so another user runs it. */
function searchUnprivileged(calls: readonly object[]): unknown[] {
  const program = `
    import { closeSearchWorkers, openWorkspace } from ${JSON.stringify(built)};
    const workspace = openWorkspace(${JSON.stringify(scratch.workspace)});
    const out = [];
    for (const options of ${JSON.stringify(calls)})
      out.push(await workspace.grep(options).catch((error) => [error.code, error.message]));
    workspace.close();
    await closeSearchWorkers();
    console.log(JSON.stringify(out));`;
  const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  // A file, because threads refuse the flag that makes a module of a text.
  const file = join(scratch.base, 'search.mjs');
  writeFileSync(file, program);
  const { stdout, stderr } = spawnSync(process.execPath, [file], {
    encoding: 'utf8',
    cwd: '/',
    ...unprivileged,
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as unknown[];
}

it('a search counts what it may not read, and says when that is its start', () => {
  scratch = makeScratch([
    'a = SECRET',
    'closed = SECRET',
    'shut/b = SECRET',
    'open/c = SECRET',
    'open/shut/d = SECRET',
  ]);
  chmodSync(scratch.base, 0o755);
  chmodSync(join(scratch.workspace, 'closed'), 0);
  for (const dir of ['shut', 'open/shut']) chmodSync(join(scratch.workspace, dir), 0o311);
  const [all, below, shut, closed] = searchUnprivileged([
    { pattern: 'SECRET' },
    { pattern: 'SECRET', path: 'open' },
    { pattern: 'SECRET', path: 'shut' },
    { pattern: 'SECRET', path: 'closed' },
  ]);
  expect(all).toMatchObject({ matches: [{ path: 'a' }, { path: 'open/c' }], skipped: 3 });
  expect(below).toMatchObject({ matches: [{ path: 'open/c' }], skipped: 1 });
  expect(shut).toEqual(['io', 'Cannot search this directory: Permission denied']);
  expect(closed).toMatchObject({ matches: [], skipped: 1 });
});
