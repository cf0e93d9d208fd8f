import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openActivity } from '@croft/tools';
import { openWorkspace } from '@croft/workspace';
import { beforeEach, describe, expect, it } from 'vitest';
import { captureOutput } from '../../../../tests/support/capture-output.ts';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { openFlowLog } from './flow-records.ts';

let base: string;
let root: string;
let output: { err: string };
beforeEach(() => {
  const top = testDir();
  base = join(top, 'base');
  root = join(top, 'work');
  mkdirSync(root);
  output = captureOutput();
});

describe('the log of flows in a directory', () => {
  it('records changes with the name of the flow', () => {
    const log = openFlowLog(base, root);
    expect(existsSync(log.trashDir ?? '')).toBe(true);
    const before = Date.now();
    log
      .recordsOf('Small')
      .begin('a.txt')
      ?.finish({ outcome: 'ok', changes: [{ kind: 'create', path: 'a.txt' }] });
    log.close();
    const [entry] = openActivity(base, root).entries();
    expect(entry).toMatchObject({
      tool: 'flow',
      paths: ['a.txt'],
      actor: { userId: null, via: 'cli', client: null, flow: { name: 'Small' } },
    });
    expect(Date.parse(entry?.time ?? '')).toBeGreaterThanOrEqual(before - 1);
    expect(output.err).toBe('');
  });

  it('says once that it cannot be written, at the first change', () => {
    writeFileSync(base, '');
    const log = openFlowLog(base, root);
    expect(log.trashDir).toBeUndefined();
    const workspace = openWorkspace(root);
    log.begins(workspace);
    workspace.close();
    expect(output.err).toBe('');
    expect(log.recordsOf('A').begin('a')).toBeUndefined();
    log.recordsOf('B').begin('b');
    log.close();
    expect(output.err).toMatch(
      new RegExp(`^croft: activity log and undo are off: cannot write below ${base} \\(.+\\)\\n$`),
    );
  });

  it('says that a change is missing in it', () => {
    const log = openFlowLog(base, root);
    log.recordsOf('A').onError?.(Object.assign(new Error('x'), { code: 'ENOSPC' }));
    log.close();
    expect(output.err).toMatch(/^croft: a change of the flow is not in the activity log \(.+\)\n$/);
  });

  it('corrects records of a process that was killed', () => {
    const killed = openFlowLog(base, root);
    killed.recordsOf('A').begin('a.txt');
    killed.close();
    const workspace = openWorkspace(root);
    const log = openFlowLog(base, root);
    log.begins(workspace);
    log.close();
    workspace.close();
    expect(output.err).toBe('');
  });
});
