import { type AnyTool, fixedWorkspace, makeToolset } from '@croft/tools';
import { expect, it } from 'vitest';
import { useWorkspace } from '../../../../tests/support/use-workspace.ts';
import { asFlowTool } from './as-flow-tool.ts';

const { workspace } = useWorkspace(['a.txt = one']);
const tools: readonly AnyTool[] = makeToolset('full', fixedWorkspace(workspace));
const named = (name: string) => asFlowTool(tools.find((each) => each.name === name) as AnyTool, tools);
const { signal } = new AbortController();

it('has the name, the description and the arguments of the tool', () => {
  const read = named('read_file');
  expect(read).toMatchObject({ name: 'read_file', readOnly: true, parameters: { type: 'object' } });
  expect(read.description).toBe(tools.find(({ name }) => name === 'read_file')?.description);
  expect(named('write_file').readOnly).toBe(false);
});

it('gives the text of a call, also of one that fails', async () => {
  expect(await named('read_file').call({ path: 'a.txt' }, signal)).toContain('one');
  expect(await named('read_file').call({ path: 'none.txt' }, signal)).toContain('none.txt');
  expect(await named('read_file').call({ other: 1 }, signal)).toEqual(expect.any(String));
});
