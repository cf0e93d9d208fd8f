import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../support/temp-dir.ts';

const ROOT = join(import.meta.dirname, '../..');
const { bin } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { bin: { croft: string } };

let scratch: string;
beforeEach(() => void (scratch = testDir()));

const run = (root: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(root, bin.croft), ...args], {
    encoding: 'utf8',
    env: { ...process.env, CROFT_BASE_DIR: join(scratch, 'base') },
  });

describe('croft in a clone', () => {
  it('runs the built program', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'apps/cli/package.json'), 'utf8')) as { version: string };
    expect(run(ROOT, '--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('says what to run before the build, and blocks as a hook', () => {
    cpSync(join(ROOT, bin.croft), join(scratch, bin.croft));
    const message = expect.stringContaining('npm install && npm run build');
    expect(run(scratch, 'mcp', '.')).toMatchObject({ status: 1, stdout: '', stderr: message });
    expect(run(scratch, 'guard', 'hook')).toMatchObject({ status: 2, stdout: '', stderr: message });
  });
});
