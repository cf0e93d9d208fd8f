import { type AnyTool, callTool } from '@croft/tools';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { answerMachine } from './answer-machine.ts';
import { askMachines } from './ask-machine.ts';

/** The tools of a machine as the thread of queued runs has them. */
async function toolsInThread(tools: readonly AnyTool[]): Promise<readonly AnyTool[]> {
  const asked = askMachines((question) => {
    if (question.kind === 'cancel') return;
    void answerMachine(async () => tools, question, new AbortController().signal).then((answer) =>
      asked.receive({ kind: 'answer', id: question.id, answer: structuredClone(answer) }),
    );
  });
  return asked.machineTools('ada');
}

/** A tool with the schema of a machine. It repeats its input. */
const announced = (schema: object): AnyTool => ({
  name: 'read-file',
  title: 'Read',
  description: 'Reads a file.',
  tags: [],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.looseObject({}).meta({ type: 'object', ...schema }),
  run: (input) => ({ ok: true, data: { input } }),
});

it('checks no input by a pattern of a machine, which could hold the thread of all queued runs', async () => {
  const hostile = { properties: { filePath: { type: 'string', pattern: '^(a+)+$' } } };
  const tools = await toolsInThread([announced(hostile)]);
  // Takes years with the pattern.
  const input = { filePath: `${'a'.repeat(60)}!` };
  expect((await callTool({ tools }, { name: 'read-file', input }, {})).data).toEqual({ input });
});

it.each([
  { not: { required: ['a'] } },
  { unevaluatedProperties: false },
  { properties: { filePath: { $ref: '#/$defs/missing' } } },
  { properties: { filePath: { type: 'string', pattern: '(' } } },
])('takes tools with a schema that zod does not know: %j', async (schema) => {
  const [tool] = await toolsInThread([announced(schema)]);
  expect(z.toJSONSchema((tool as AnyTool).input, { io: 'input' })).toMatchObject({ type: 'object', ...schema });
});

it('asks the thread of the server for a call, cancels it with its signal, and gives its failure', async () => {
  const sent: unknown[] = [];
  const asked = askMachines((message) => sent.push(message));
  const listing = asked.machineTools('ada');
  const { run: _, input, ...listed } = announced({});
  asked.receive({ kind: 'answer', id: 1, answer: { tools: [{ ...listed, input: z.toJSONSchema(input) }] } as never });
  const [tool] = await listing;
  const call = (signal: AbortSignal) => Promise.resolve(tool?.run({ a: 1 } as never, { signal } as never));
  const stop = new AbortController();
  const failing = call(stop.signal);
  stop.abort();
  asked.receive({ kind: 'failed', id: 2, message: 'No machine.' } as never);
  await expect(failing).rejects.toThrow('No machine.');
  const late = new AbortController();
  const done = call(late.signal);
  asked.receive({ kind: 'answer', id: 9, answer: { result: 'other' } } as never);
  asked.receive({ kind: 'answer', id: 3, answer: { result: { ok: true } } } as never);
  expect(await done).toEqual({ ok: true });
  late.abort();
  const question = { kind: 'call-tool', userId: 'ada', name: 'read-file', input: { a: 1 } };
  expect(sent).toEqual([
    { kind: 'list-tools', userId: 'ada', id: 1 },
    { ...question, id: 2 },
    { kind: 'cancel', id: 2 },
    { ...question, id: 3 },
  ]);
});
