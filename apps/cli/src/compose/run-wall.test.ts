import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { landlockAbi } from '@croft/workspace';
import { beforeAll, describe, expect, it } from 'vitest';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import { raiseRunWall } from './run-wall.ts';

const croft = fileURLToPath(new URL('../../dist/croft.cjs', import.meta.url));

/** Simulates a bug in a component: code inside the process that reads, writes and lists outside after the run. */
const INTRUDER = `
const fs = require('node:fs');
const { isMainThread } = require('node:worker_threads');
const { join } = require('node:path');
const attempt = async (act) => { try { await act(); return 'done'; } catch (error) { return error.code; } };
if (isMainThread) process.once('beforeExit', async () => {
  const outside = process.env.INTRUDER_OUTSIDE;
  process.stdout.write(JSON.stringify({
    sync: await attempt(() => fs.readFileSync(join(outside, 'secret.txt'))),
    pool: await attempt(() => fs.promises.readFile(join(outside, 'secret.txt'))),
    write: await attempt(() => fs.promises.writeFile(join(outside, 'new.txt'), 'x')),
    list: await attempt(() => fs.readdirSync(outside)),
    inside: await attempt(() => fs.readFileSync('inside.txt')),
  }));
});
`;
const SHUT = { sync: 'EACCES', pool: 'EACCES', write: 'EACCES', list: 'EACCES', inside: 'done' };
const OPEN = { sync: 'done', pool: 'done', write: 'done', list: 'done', inside: 'done' };

const dir = fileDir();
const workspace = () => join(dir, 'workspace');

beforeAll(() => {
  mkdirSync(workspace());
  writeFileSync(join(dir, 'secret.txt'), 'secret');
  writeFileSync(join(dir, 'intruder.cjs'), INTRUDER);
  // The flow itself is outside of its directory.
  writeFileSync(
    join(dir, 'copy.flow'),
    'nodes:\n  I: ChatInput\n  W: SaveToFile\n  O: ChatOutput\nedges:\n  I.message -> W.input\n  W.message -> O.input_value\nconfig:\n  W.file_name: out.txt',
  );
  writeFileSync(join(workspace(), 'inside.txt'), 'inside');
});

function run(...flags: string[]) {
  const args = ['-r', join(dir, 'intruder.cjs'), croft, 'run', join(dir, 'copy.flow'), '--input', 'kept', ...flags];
  const env = { ...process.env, CROFT_BASE_DIR: join(dir, 'base'), INTRUDER_OUTSIDE: dir };
  const done = spawnSync(process.execPath, args, { cwd: workspace(), encoding: 'utf8', env });
  return { code: done.status, found: /\{.*\}$/.exec(done.stdout)?.[0], err: done.stderr };
}

describe.skipIf(landlockAbi() < 2)('croft run inside the second sandbox', () => {
  it('denies access outside of its directory to code in the process, and keeps the activity log', () => {
    const { code, found, err } = run('--require-sandbox');
    expect([code, JSON.parse(found ?? '{}')]).toEqual([0, SHUT]);
    expect(err).not.toContain('activity log');
    expect(existsSync(join(dir, 'new.txt'))).toBe(false);
    expect(existsSync(join(workspace(), 'out.txt'))).toBe(true);
  });

  it('is open with --no-second-wall, or with a command that starts other programs', () => {
    for (const flags of [['--no-second-wall'], ['--allow-command', 'some-server']])
      expect(JSON.parse(run(...flags).found ?? '{}'), flags[0]).toEqual(OPEN);
  });

  it.each([
    ['--no-second-wall', 'switched off'],
    ['--allow-command=some-server', '--allow-command starts other programs'],
  ])('refuses --require-sandbox together with %s', (flag, reason) => {
    const { code, err } = run('--require-sandbox', flag);
    expect(code).toBe(2);
    expect(err).toContain(reason);
  });
});

it('restricts nothing where it is switched off or starts other programs, and says why', async () => {
  const raise = (flags: object) => raiseRunWall('/none.flow', '/none', flags as never);
  expect(await raise({ secondWall: false, allowCommand: [] })).toEqual({ active: false, reason: 'switched off' });
  expect(await raise({ secondWall: true, allowCommand: ['npx'] })).toEqual({
    active: false,
    reason: '--allow-command starts other programs',
  });
});
