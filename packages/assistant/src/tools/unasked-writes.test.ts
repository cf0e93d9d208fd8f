import type { FlowDocument } from '@croft/flow';
import { makeToolset } from '@croft/tools';
import { openWorkspace } from '@croft/workspace';
import { makeScratch } from '@croft/workspace/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { flowOf, toolContext } from '../../../../tests/support/tool-context.ts';
import { hasUnaskedWrites, writtenFiles } from './unasked-writes.ts';

const scratch = makeScratch(['mine.txt']);
const workspace = openWorkspace(scratch.workspace);
const files = { tools: makeToolset('files', { acquire: () => workspace }) };
afterAll(() => {
  workspace.close();
  scratch.remove();
});

const writing = (file: string, more = '') =>
  flowOf(
    `nodes:\n  I: ChatInput\n  W: SaveToFile\n  O: ChatOutput\nedges:\n  I.message -> W.input\n  I.message -> O.input_value\n${more}config:\n  W.file_name: "${file}"\n`,
  );
async function unasked(
  flow: FlowDocument,
  {
    named = 'run it',
    start,
    runWrites = true,
    earlier = [],
    message = 'run it',
  }: { named?: string; start?: FlowDocument; runWrites?: boolean; earlier?: readonly string[]; message?: string } = {},
) {
  const { context } = await toolContext(start, {
    turn: { files, message, history: earlier.map((user) => ({ user, assistant: '' })) },
    named,
    asked: { change: true, remove: true, write: true, run: true, runWrites },
  });
  return { isUnasked: await hasUnaskedWrites(flow, context), files: writtenFiles(flow, context) };
}

describe('a file that a run writes', () => {
  it('was asked for where it is new, named in the message, or the flow is as it was', async () => {
    expect(await unasked(writing('new.txt'))).toMatchObject({ isUnasked: false });
    expect(await unasked(writing('mine.txt'), { named: 'write mine.txt' })).toMatchObject({ isUnasked: false });
    expect(await unasked(writing('mine.txt'), { start: writing('mine.txt') })).toMatchObject({ isUnasked: false });
    expect(await unasked(flowOf('nodes:\n  I: ChatInput\n'))).toMatchObject({ isUnasked: false });
  });

  it('was not asked for where it is a file of the user, has no ending, or the message asks for no run', async () => {
    expect(await unasked(writing('mine.txt'))).toEqual({ isUnasked: true, files: 'mine.txt' });
    expect(await unasked(writing('mine'))).toEqual({ isUnasked: true, files: 'mine' });
    expect(await unasked(writing('new.txt'), { runWrites: false })).toEqual({ isUnasked: true, files: 'new.txt' });
  });

  it('was not asked for by a flow that is as it was where an earlier message forbade to overwrite', async () => {
    const start = writing('mine.txt');
    const earlier = ['save it to mine.txt. Never overwrite existing files'];
    expect(await unasked(start, { start, earlier })).toEqual({ isUnasked: true, files: 'mine.txt' });
    const renamed = { ...start, name: 'x', nodes: start.nodes.map((node) => ({ ...node, name: node.id })) };
    expect(await unasked(renamed, { start, earlier })).toEqual({ isUnasked: true, files: 'mine.txt' });
    expect(await unasked(start, { start, earlier: ['keep what is not in Oslo'] })).toMatchObject({ isUnasked: false });
    const message = 'run it without changing mine.txt';
    expect(await unasked(start, { start, message })).toMatchObject({ isUnasked: true });
  });

  it('is not known where a connection or a variable gives its name', async () => {
    expect(await unasked(writing('{name}.txt'))).toEqual({ isUnasked: true, files: "files that 'Write file' chooses" });
    const start = writing('mine.txt');
    const moved = {
      ...start,
      edges: [...start.edges, { from: { node: 'I-1', port: 'message' }, to: { node: 'W-1', port: 'file_name' } }],
    };
    expect(await unasked(moved as FlowDocument, { start })).toEqual({
      isUnasked: true,
      files: "files that 'Write file' chooses",
    });
  });

  it('was not asked for where its writer changed in any way', async () => {
    const start = writing('mine.txt');
    const changed = (values: object) => ({
      ...start,
      name: 'x',
      nodes: start.nodes.map((node) => (node.id === 'W-1' ? { ...node, values: { ...node.values, ...values } } : node)),
    });
    expect(await unasked(changed({ append_mode: true }) as FlowDocument, { start })).toEqual({
      isUnasked: true,
      files: 'mine.txt',
    });
    const other = {
      ...start,
      nodes: start.nodes.map((node) => (node.id === 'I-1' ? { ...node, name: 'Other' } : node)),
    };
    expect(await unasked(other, { start })).toMatchObject({ isUnasked: false });
  });
});
