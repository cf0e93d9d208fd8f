import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openWorkspace, type Workspace } from '@croft/workspace';
import { makeScratch, type Scratch } from '@croft/workspace/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FreshTree, keepTreeFresh } from './keep-tree-fresh.ts';
import { scanTree, type ScannedTree } from './scan-tree.ts';

let scratch: Scratch;
let workspace: Workspace;
let fresh: FreshTree;
let sent: string[][];
let scans: number;
let takes: boolean;
let againInMs: number | undefined;
let refused: number;
let refusedAt: number;
let sentAt: number[];

beforeEach(async () => {
  scratch = makeScratch(['src/a.ts', 'node_modules/m/x']);
  workspace = openWorkspace(scratch.workspace, { readOnly: true });
  sent = [];
  scans = 0;
  takes = true;
  againInMs = undefined;
  refused = 0;
  sentAt = [];
  const scan = (): Promise<ScannedTree> => {
    scans++;
    return scanTree(workspace, { excludeNames: new Set(['node_modules']) });
  };
  fresh = keepTreeFresh({
    root: scratch.workspace,
    scan,
    send: (tree) => {
      if (takes) {
        sent.push(tree.entries.map(({ path }) => path));
        sentAt.push(performance.now());
      } else {
        refused++;
        refusedAt = performance.now();
      }
      return Promise.resolve({ taken: takes, againInMs: takes ? undefined : againInMs });
    },
    tell: () => {},
    quietMs: 20,
    minIntervalMs: 30,
  });
  fresh.sent(await scan());
});

afterEach(() => {
  fresh.close();
  workspace.close();
  scratch.remove();
});

const at = (...parts: string[]) => join(scratch.workspace, ...parts);

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 20_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
const has = (path: string) => () => sent.at(-1)?.includes(path) ?? false;

describe('the tree a server has', () => {
  it('follows new files, new directories and what comes into them', async () => {
    writeFileSync(at('src/b.ts'), 'x');
    await until(has('src/b.ts'));
    mkdirSync(at('src/new'));
    await until(has('src/new'));
    writeFileSync(at('src/new/c.ts'), 'x');
    await until(has('src/new/c.ts'));
    rmSync(at('src/new'), { recursive: true });
    await until(() => !has('src/new')());
  });

  it('follows a directory that was put in the place of another', async () => {
    mkdirSync(at('spare'));
    await until(has('spare'));
    renameSync(at('src'), at('old'));
    renameSync(at('spare'), at('src'));
    await until(() => has('old/a.ts')() && !has('spare')());
    writeFileSync(at('src/again.ts'), 'x');
    await until(has('src/again.ts'));
  });

  it('costs nothing where a directory is excluded', async () => {
    const before = scans;
    writeFileSync(at('node_modules/m/y'), 'x');
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(scans).toBe(before);
  });

  it('is scanned once for many changes, and not sent when it is the same', async () => {
    const before = scans;
    for (let i = 0; i < 200; i++) writeFileSync(at('src/a.ts'), 'src/a.ts');
    await until(() => scans > before);
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(scans - before).toBeLessThan(20);
    expect(sent).toEqual([]);
  });

  it('is sent when the server can be reached again', async () => {
    takes = false;
    writeFileSync(at('src/b.ts'), 'x');
    await until(() => refused > 0);
    takes = true;
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(sent).toEqual([]);
    fresh.catchUp();
    await until(has('src/b.ts'));
    fresh.catchUp();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(sent).toHaveLength(1);
  });

  it('is sent again by itself when the server asked for it later, and not before', async () => {
    takes = false;
    againInMs = 300;
    writeFileSync(at('src/b.ts'), 'x');
    await until(() => refused > 0);
    takes = true;
    writeFileSync(at('src/c.ts'), 'x');
    await until(has('src/c.ts'));
    expect((sentAt[0] ?? 0) - refusedAt).toBeGreaterThanOrEqual(290);
    expect(refused).toBe(1);
  });

  it('is sent with the next change when it was not taken', async () => {
    takes = false;
    writeFileSync(at('src/b.ts'), 'x');
    await until(() => refused > 0);
    takes = true;
    writeFileSync(at('src/c.ts'), 'x');
    await until(() => has('src/b.ts')() && has('src/c.ts')());
  });
});
