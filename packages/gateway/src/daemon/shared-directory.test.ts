import { makeToolset } from '@croft/tools';
import { expect, it } from 'vitest';
import { useWorkspace } from '../../../../tests/support/use-workspace.ts';
import type { DaemonEvent } from './daemon-events.ts';
import { announcementOf, scanShared } from './shared-directory.ts';

const { workspace } = useWorkspace(['src/a.ts', 'node_modules/x/y.js', '.env']);

it('scans the directory without dependencies and protected files, and reports it where it is news', async () => {
  const events: DaemonEvent[] = [];
  const scanned = await scanShared({ workspace, tell: (event) => events.push(event) }, true);
  expect(scanned.entries.map(({ path }) => path)).toEqual(['src', 'src/a.ts']);
  expect(events).toEqual([{ type: 'scanned', entries: 2, truncated: false, tookMs: expect.any(Number) }]);
  await scanShared({ workspace, tell: (event) => events.push(event) }, false);
  expect(events).toHaveLength(1);
});

it('announces the root with its tree and tools', async () => {
  const scanned = await scanShared({ workspace, tell: () => undefined }, false);
  const table = { tools: makeToolset('explore', { acquire: () => workspace }) };
  const sent = JSON.parse(announcementOf({ workspace, table, allowWrite: false, version: '1' }, scanned));
  expect([sent.rootPath, sent.tree.length, sent.croft.tools.length, sent.toolCategories[0].writeAccess]).toEqual([
    workspace.root,
    2,
    4,
    false,
  ]);
});
