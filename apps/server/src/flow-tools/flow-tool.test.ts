import { ToolError } from '@croft/tools';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { Problem } from '../problem.ts';
import type { FlowDesk } from './flow-desk.ts';
import { flowTool, messageOf, refuse, toMcpTool, WithResults } from './flow-tool.ts';

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const toolOf = (run: (input: { a: string }) => Record<string, unknown>) =>
  flowTool({
    name: 'look',
    title: 'Look',
    description: 'Looks.',
    input: { a: z.string() },
    output: { b: z.number() },
    annotations: READS,
    run,
  });

/** Calls a tool as an MCP client does. */
async function call(run: Parameters<typeof toolOf>[0]) {
  const opened: (string | undefined)[] = [];
  const tool = toMcpTool(toolOf(run), (client) => {
    opened.push(client);
    return { id: 'desk' } as unknown as FlowDesk;
  });
  const result = await tool.run({ a: 'x' } as never, { caller: 'client 1' } as never);
  return { tool, result, opened };
}

it('takes only the arguments that it names, and can be undone unless it says otherwise', () => {
  const tool = toolOf(() => ({ b: 1 }));
  expect([
    tool.undoable,
    tool.input.safeParse({ a: 'x', c: 1 }).success,
    tool.input.safeParse({ a: 'x' }).success,
  ]).toEqual([true, false, true]);
  expect(flowTool({ ...tool, input: {}, output: {}, undoable: false, run: () => ({}) }).undoable).toBe(false);
});

it('gives data and the same as text, and opens a desk for each call', async () => {
  const { tool, result, opened } = await call(({ a }) => ({ b: 1, a }));
  expect(result).toEqual({ ok: true, data: { b: 1, a: 'x' }, text: '{"b":1,"a":"x"}' });
  expect(opened).toEqual(['client 1']);
  expect(tool).toMatchObject({ name: 'look', title: 'Look', tags: ['look'], structured: true, annotations: READS });
});

it('gives a refusal to the model, with the results before it', async () => {
  const failing = (error: Error) => () => {
    throw error;
  };
  expect((await call(failing(refuse('Use an id.')))).result).toEqual({ ok: false, data: { error: 'Use an id.' } });
  const partly = new WithResults('Failed.', [{ id: 1 }]);
  expect((await call(failing(partly))).result).toEqual({ ok: false, data: { error: 'Failed.', results: [{ id: 1 }] } });
  expect((await call(failing(new Problem(404, 'not_found', 'No flow.')))).result).toMatchObject({
    data: { error: 'No flow.' },
  });
  await expect(call(failing(new TypeError('bug')))).rejects.toThrow('bug');
});

it('shows no text of an unexpected failure', () => {
  expect(messageOf(new Error('/host/path'))).toBeUndefined();
  expect(messageOf(new ToolError('declined', 'Not run.'))).toBe('Not run.');
});

it('says which fields a result has', () => {
  const { output } = toolOf(() => ({ b: 1 }));
  expect([output.safeParse({ b: 1, more: 2 }).success, output.safeParse({ b: 'x' }).success]).toEqual([true, false]);
});
