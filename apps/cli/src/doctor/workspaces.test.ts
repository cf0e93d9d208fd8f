import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openActivity } from '@croft/tools';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { activeWorkspaces, examineDirectory } from './workspaces.ts';

let dirs: string;
let base: string;
beforeEach(() => {
  dirs = testDir();
  base = join(dirs, 'base');
});

/** A directory with one recorded call for each time. */
function used(name: string, ...times: string[]): string {
  const root = join(dirs, name);
  mkdirSync(root);
  const activity = openActivity(base, root);
  for (const time of times)
    activity.write({ id: `id-${time}`, time, tool: 'write_file', paths: [], outcome: 'ok', duration_ms: 0 } as never);
  activity.close();
  return root;
}

describe('the workspaces with activity', () => {
  it('are sorted by their last call, the latest first', () => {
    const one = used('one', '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z');
    const two = used('two', '2026-01-03T00:00:00.000Z');
    rmSync(one, { recursive: true });
    expect(activeWorkspaces(base)).toEqual([
      { root: two, exists: true, calls: 1, last: '2026-01-03T00:00:00.000Z' },
      { root: one, exists: false, calls: 2, last: '2026-01-02T00:00:00.000Z' },
    ]);
  });

  it('do not include directories of other programs', () => {
    for (const [name, text] of [
      ['a', 'no JSON'],
      ['b', '{"root":4}'],
    ] as const) {
      mkdirSync(join(base, 'activity', name), { recursive: true });
      writeFileSync(join(base, 'activity', name, 'workspace.json'), text);
    }
    mkdirSync(join(base, 'activity', 'c'));
    expect(activeWorkspaces(base)).toEqual([]);
    expect(activeWorkspaces(join(base, 'none'))).toEqual([]);
  });

  it('may have no calls', () => {
    mkdirSync(join(base, 'activity', 'a'), { recursive: true });
    writeFileSync(join(base, 'activity', 'a', 'workspace.json'), JSON.stringify({ root: '/none' }));
    expect(activeWorkspaces(base)).toEqual([{ root: '/none', exists: false, calls: 0 }]);
  });
});

describe('a directory on the command line', () => {
  it('is reported with its calls', () => {
    const root = used('one', '2026-01-01T00:00:00.000Z');
    expect(examineDirectory(`${root}/../one`, base)).toEqual({ report: { root, calls: 1 }, problems: [], notes: [] });
  });

  it('is a problem where it cannot be served', () => {
    const { report, problems, notes } = examineDirectory(join(base, 'none'), base);
    expect([report, notes]).toEqual([undefined, []]);
    expect(problems).toEqual([
      {
        what: expect.stringMatching(/\/none cannot be served: .+/) as string,
        advice: 'Name an existing directory that this user may read',
      },
    ]);
  });
});
