import type { AnyTool } from '@croft/tools';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { answerMachine } from './answer-machine.ts';

const read = {
  name: 'read_file',
  title: 'Read',
  description: 'Reads a file.',
  tags: ['files'],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ path: z.string(), lines: z.number().default(10) }),
  run: async ({ path, lines }: { path: string; lines: number }) => ({ ok: true, data: { text: `${path} ${lines}` } }),
} as unknown as AnyTool;
const asked: string[] = [];
const answer = (question: object, signal = new AbortController().signal) =>
  answerMachine(
    async (userId) => {
      asked.push(userId);
      return [read];
    },
    { userId: 'ann', ...question } as never,
    signal,
  );

it('lists the tools of the user, with the arguments that a caller gives', async () => {
  const { tools } = (await answer({ kind: 'list-tools' })) as unknown as { tools: { input: object }[] };
  expect(tools).toEqual([
    {
      name: 'read_file',
      title: 'Read',
      description: 'Reads a file.',
      tags: ['files'],
      annotations: read.annotations,
      input: expect.objectContaining({
        required: ['path'],
        properties: expect.objectContaining({ path: { type: 'string' } }),
      }),
    },
  ]);
  expect(asked).toEqual(['ann']);
  expect(() => structuredClone(tools)).not.toThrow();
});

it('calls a tool with checked arguments', async () => {
  const call = (input: unknown) => answer({ kind: 'call-tool', name: 'read_file', input });
  expect(await call({ path: 'a' })).toMatchObject({ result: { ok: true, data: { text: 'a 10' } } });
  expect(await call({})).toMatchObject({ result: { ok: false } });
  expect(await answer({ kind: 'call-tool', name: 'other', input: {} })).toMatchObject({ result: { ok: false } });
});
