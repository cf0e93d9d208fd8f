import { makeToolset } from '@croft/tools';
import { expect, it } from 'vitest';
import { initSchema } from '../frames.ts';
import { describeDaemon, describeTree } from './announcement.ts';
import type { ScannedTree } from './scan-tree.ts';

const tools = makeToolset('files', {
  acquire: () => {
    throw new Error('the tools are only described');
  },
});
const scanned = (truncated = false): ScannedTree => ({
  entries: [
    { name: 'src', path: 'src', type: 'directory', depth: 1 },
    { name: 'a', path: 'src/a', type: 'file', depth: 2 },
  ] as unknown as ScannedTree['entries'],
  truncated,
});

it('describes the tree as entries and as text, and marks one that is cut', () => {
  const whole = describeTree('/home/ann/project', scanned());
  expect([whole.rootPath, whole.tree.map(({ path }) => path)]).toEqual(['/home/ann/project', ['src', 'src/a']]);
  expect(whole.treeText).toMatch(/^project\//);
  expect([whole.treeTruncated, describeTree('/p', scanned(true)).treeTruncated]).toEqual([undefined, true]);
});

it('announces tools for servers of every dialect', () => {
  const parts = { root: '/p', scanned: scanned(), tools, allowWrite: true, version: '1.2.3' };
  const frame = describeDaemon(parts);
  expect(initSchema.safeParse(JSON.parse(JSON.stringify(frame))).success).toBe(true);
  expect(frame.croft).toEqual({
    version: '1.2.3',
    protocol: 1,
    tools: ['read_file', 'glob_search', 'grep_search', 'write_file', 'edit_file'],
    answersPings: true,
  });
  expect(frame.tools?.[3]).toMatchObject({
    name: 'write_file',
    title: 'Write file',
    inputSchema: { type: 'object', required: ['path', 'content'] },
    annotations: { title: 'Write file', readOnlyHint: false, destructiveHint: true, category: 'filesystem' },
  });
  // Fields with a default are optional.
  expect(frame.tools?.[0]).toMatchObject({ inputSchema: { type: 'object', required: ['path'] } });
  expect(frame.tools?.[4]).toMatchObject({ inputSchema: { required: ['path', 'old_string', 'new_string'] } });
  expect(frame.toolCategories).toEqual([{ name: 'filesystem', enabled: true, writeAccess: true }]);
  // Each schema is derived once.
  expect(describeDaemon({ ...parts, allowWrite: false }).tools?.[0]).toBe(frame.tools?.[0]);
  expect(describeDaemon({ ...parts, allowWrite: false }).toolCategories?.[0]?.writeAccess).toBe(false);
});
