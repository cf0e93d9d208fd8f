import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
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
    const killed = openActivity(base, root);
    const actor = { userId: null, via: 'cli', client: null } as const;
    killed
      .begin({ tool: 'flow', actor, started: Date.now(), paths: () => ['a.txt'] })
      .intend([{ kind: 'create', path: 'a.txt', after: 'version' } as never]);
    const [mark = ''] = readdirSync(killed.directory).filter((name) => name.startsWith('session.'));
    renameSync(join(killed.directory, mark), join(killed.directory, mark.replace(/\.\d+-/, '.99999999-')));
    const workspace = openWorkspace(root);
    const log = openFlowLog(base, root);
    log.begins(workspace);
    log.close();
    workspace.close();
    expect(output.err).toBe('');
    expect(openActivity(base, root).entries()).toMatchObject([{ paths: ['a.txt'], outcome: 'interrupted' }]);
    expect(readdirSync(killed.directory).filter((name) => name.startsWith('session.'))).toEqual([]);
    killed.close();
  });
});
