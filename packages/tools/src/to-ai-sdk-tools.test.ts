import { generateText, stepCountIs, type ToolSet } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { closeSearchWorkers } from '@croft/workspace';
import { afterAll, afterEach, expect, it } from 'vitest';
import { type Bench, makeBench } from './testing.ts';
import { toAiSdkTools } from './to-ai-sdk-tools.ts';

let bench: Bench;
afterEach(() => bench.close());
afterAll(() => closeSearchWorkers());

/** A model that makes these calls and then stops. Gives the results that it was sent, and the tools that it was offered. */
async function run(calls: readonly { toolName: string; input: object }[]) {
  let turn = 0;
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const model = new MockLanguageModelV3({
    doGenerate: async () => {
      if (turn++ > 0)
        return {
          content: [{ type: 'text', text: 'done' }],
          finishReason: { unified: 'stop', raw: 'stop' },
          usage,
          warnings: [],
        };
      const content = calls.map(({ toolName, input }, index) => ({
        type: 'tool-call' as const,
        toolCallId: `call-${index}`,
        toolName,
        input: JSON.stringify(input),
      }));
      return { content, finishReason: { unified: 'tool-calls', raw: 'tool_calls' }, usage, warnings: [] };
    },
  });
  await generateText({
    model,
    tools: toAiSdkTools(bench.table) as ToolSet,
    stopWhen: stepCountIs(3),
    prompt: 'Do it.',
  });
  const [first, second] = model.doGenerateCalls;
  const answers = second?.prompt.flatMap((message) => (message.role === 'tool' ? message.content : [])) ?? [];
  return {
    offered: first?.tools?.map((tool) => tool.name),
    outputs: answers.map((answer) => (answer as { output: unknown }).output),
  };
}

it('has the description and the input of each tool', () => {
  bench = makeBench('files');
  const described = Object.entries(toAiSdkTools(bench.table)).map(([name, { description, inputSchema }]) => ({
    name,
    description,
    input: inputSchema,
  }));
  expect(described).toEqual(bench.table.tools.map(({ name, description, input }) => ({ name, description, input })));
});

it('the AI SDK offers the tools, runs them and gives the model their texts', async () => {
  bench = makeBench('files', ['a.txt = hello']);
  const { offered, outputs } = await run([
    { toolName: 'read_file', input: { path: 'a.txt' } },
    { toolName: 'write_file', input: { path: 'b.txt', content: 'x' } },
  ]);
  expect(offered).toEqual(['read_file', 'glob_search', 'grep_search', 'write_file', 'edit_file']);
  expect(JSON.stringify(outputs[0])).toContain('hello');
  expect(JSON.parse((outputs[1] as { value: string }).value)).toMatchObject({ status: 'created', path: 'b.txt' });
});

it('the model of the AI SDK gets a refusal as the output of its call', async () => {
  bench = makeBench('files');
  const { outputs } = await run([{ toolName: 'read_file', input: { path: '../../etc/passwd' } }]);
  expect(outputs[0]).toMatchObject({
    type: 'error-text',
    value: expect.stringContaining('escapes workspace boundary'),
  });
});

it('media are content beside the text', () => {
  bench = makeBench('files');
  const [tool] = Object.values(toAiSdkTools(bench.table));
  const media = [{ type: 'image' as const, data: 'AAAA', mimeType: 'image/png' }];
  expect(tool?.toModelOutput({ output: { ok: true, text: 'a picture', media } })).toEqual({
    type: 'content',
    value: [
      { type: 'text', text: 'a picture' },
      { type: 'file-data', data: 'AAAA', mediaType: 'image/png' },
    ],
  });
});
