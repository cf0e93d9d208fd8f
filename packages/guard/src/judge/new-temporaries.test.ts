import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import type { Decision } from '../decision.ts';
import type { Policy } from '../policy/policy.ts';
import { testPolicy } from '../testing.ts';
import { createJudge, type Judge } from './judge.ts';
import { openPlace } from './place.ts';

let scratch: string;
let root: string;
let temporary: string;
let own: string;
let judges: Judge[];

beforeEach(() => {
  scratch = testDir();
  root = join(scratch, 'project');
  temporary = join(scratch, 'tmp');
  own = join(scratch, 'base', 'tmp');
  for (const dir of [root, temporary, join(scratch, 'outside')]) mkdirSync(dir);
  writeFileSync(join(temporary, 'old.txt'), 'of another program');
  writeFileSync(join(scratch, 'outside', 'secret'), 'x');
  symlinkSync(join(scratch, 'outside'), join(temporary, 'link'));
  symlinkSync(join(scratch, 'outside', 'none'), join(temporary, 'dangling'));
  vi.stubEnv('TMPDIR', temporary);
  judges = [];
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const judge of judges) judge.close();
});

function judgeOf(overrides: Partial<Policy> = {}): (command: string) => Decision {
  const policy = testPolicy(overrides);
  const judge = createJudge(policy, openPlace(policy, root));
  judges.push(judge);
  return (command) => judge.judge({ name: 'bash', arguments: { command } });
}

describe('a new file in the temporary directory', () => {
  const ordinary = [
    'mktemp',
    'mktemp -d',
    'D=$(mktemp -d); touch "$D/a"; cat "$D/a"; rm -rf "$D"',
    'npm test > $TMPDIR/out.txt 2>&1; tail $TMPDIR/out.txt',
    'npm test 2>&1 | tee $TMPDIR/out/log.txt',
  ];

  it.each(ordinary)('may be written in default mode: %s', (command) => {
    expect(judgeOf()(command)).toMatchObject({ decision: 'allow', rule: 'allowed' });
  });

  it.each(ordinary)('may not be written in strict mode, and the refusal names a directory that may: %s', (command) => {
    const decision = judgeOf({ strict: true, privateTemporary: own })(command);
    expect(decision).toMatchObject({ decision: 'block', rule: 'outside-path' });
    expect(decision.accepted).toContain(`TMPDIR=${own} mktemp -d`);
  });

  it.each([
    ['is there already', 'echo x > $TMPDIR/old.txt'],
    ['is removed and belongs to another program', 'rm $TMPDIR/old.txt'],
    ['is reached through a link that leads outside', 'touch $TMPDIR/link/new'],
    ['is a link to nothing', 'echo x > $TMPDIR/dangling'],
    ['lies outside after `..`', 'touch $TMPDIR/../outside/new'],
    ['lies outside after a directory that does not exist', 'touch $TMPDIR/none/../../outside/new'],
    ['is the temporary directory itself', 'rm -rf $TMPDIR'],
    ['stands for everything there', 'rm -rf $TMPDIR/*'],
    ['is a link made to lead outside', 'ln -s ../outside $TMPDIR/l && touch $TMPDIR/l/new'],
    ['takes a file from outside', 'mv ../outside/secret $TMPDIR/x'],
    ['is protected wherever it is', 'mkdir $TMPDIR/r && echo x > $TMPDIR/r/.git/hooks/pre-commit'],
  ])('is blocked in default mode where it %s', (_, command) => {
    expect(judgeOf()(command)).toMatchObject({ decision: 'block' });
  });

  it('may be written again by the same guard once it exists', () => {
    const judge = judgeOf();
    const command = 'npm test > $TMPDIR/again.txt';
    expect(judge(command).decision).toBe('allow');
    writeFileSync(join(temporary, 'again.txt'), 'x');
    expect(judge(command).decision).toBe('allow');
    expect(judgeOf()(command)).toMatchObject({ decision: 'block', rule: 'outside-path' });
  });

  it('does not include the neighbours of a project in the temporary directory', () => {
    vi.stubEnv('TMPDIR', scratch);
    expect(judgeOf()('touch $TMPDIR/new')).toMatchObject({ decision: 'block', rule: 'outside-path' });
  });
});

describe('the private temporary directory', () => {
  it('is created for this user alone and may be written in every mode', () => {
    for (const strict of [true, false]) {
      const judge = judgeOf({ strict, privateTemporary: own });
      for (const command of [`TMPDIR=${own} mktemp -d`, `echo x > ${own}/a`, `mkdir ${own}/d && rm -rf ${own}/d`])
        expect(judge(command)).toMatchObject({ decision: 'allow', rule: 'allowed' });
      writeFileSync(join(own, 'a'), 'x');
    }
    expect(statSync(own).mode & 0o777).toBe(0o700);
  });

  it('is where mktemp writes when the TMPDIR of the agent and its hook names it', () => {
    vi.stubEnv('TMPDIR', own);
    expect(judgeOf({ strict: true, privateTemporary: own })('D=$(mktemp -d) && touch $D/a').decision).toBe('allow');
  });

  it.each([
    ['other users may enter it', () => mkdirSync(own, { recursive: true }), () => chmodSync(own, 0o755)],
    ['it is a link', () => mkdirSync(join(scratch, 'base')), () => symlinkSync(join(scratch, 'outside'), own)],
  ])('is not used where %s', (_, first, second) => {
    first();
    second();
    expect(judgeOf({ strict: true, privateTemporary: own })(`touch ${own}/a`).decision).toBe('block');
  });
});
