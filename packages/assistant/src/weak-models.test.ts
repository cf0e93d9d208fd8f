import { builtinRegistry } from '@croft/components';
import { describe, expect, it } from 'vitest';
import { leastCpuMs, yardstickMs } from '../../../tests/support/yardstick.ts';
import { readIntent } from './intent.ts';
import { eventsOf, makeTurn, memoryCanvas, type ScriptedStep, scriptedModels } from './testing.ts';
import { callsInText } from './text-calls.ts';

const registry = builtinRegistry();
const SPEC = 'name: Echo\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n';
const NEW = ['{"intent": "build_flow", "scope": "new"}'];
const json = (value: unknown) => JSON.stringify(value);

/** Replies of small models that all mean: build this flow. */
const REPLIES: readonly (readonly [string, readonly (readonly ScriptedStep[])[]])[] = [
  ['a call as the whole text', [[json({ name: 'build_flow', arguments: { spec: SPEC } })], ['Done.']]],
  [
    'a call in a fence',
    [[`I will build it.\n\`\`\`json\n${json({ tool: 'build_flow', args: { spec: SPEC } })}\n\`\`\``], ['Done.']],
  ],
  [
    'a call in tags',
    [[`<tool_call>${json({ name: 'build_flow', arguments: { spec: SPEC } })}</tool_call>`], ['Done.']],
  ],
  [
    'a call of a function',
    [[json({ type: 'function', function: { name: 'build_flow', arguments: json({ spec: SPEC }) } })], ['Done.']],
  ],
  ['a promise first', [['I will build it now.'], [{ tool: 'build_flow', args: { spec: SPEC } }, 'Done.']]],
  ['nothing first', [[], [{ tool: 'build_flow', args: { spec: SPEC } }, 'Done.']]],
  [
    'an unknown tool first',
    [
      [{ tool: 'make_flow', args: {} }, 'Done.'],
      [{ tool: 'build_flow', args: { spec: SPEC } }, 'Done.'],
    ],
  ],
  [
    'a wrong text first',
    [
      [
        { tool: 'build_flow', args: { spec: 'nodes: [ChatInput]' } },
        { tool: 'build_flow', args: { spec: SPEC } },
        'Done.',
      ],
    ],
  ],
  ['no words after the call', [[{ tool: 'build_flow', args: { spec: SPEC } }]]],
];

describe('a small model', () => {
  it.each(REPLIES)('recovers from %s', async (_, replies) => {
    const models = scriptedModels([NEW, ...replies]);
    const canvas = memoryCanvas();
    const events = await eventsOf(makeTurn(registry, { canvas, models, message: 'Build an echo', skipAll: true }));
    expect(events.at(-1)).toMatchObject({ event: 'complete' });
    expect(canvas.flow.nodes.map(({ type }) => type)).toEqual(['ChatInput', 'ChatOutput']);
  });

  it('is named where it gives no reply', async () => {
    const events = await eventsOf(
      makeTurn(registry, { models: scriptedModels([NEW, [], [], []]), message: 'Build it' }),
    );
    expect(events.at(-1)).toMatchObject({ event: 'error', message: expect.stringContaining('Scripted/script') });
  });

  it('makes no call by an example in a sentence, or by a tool that it does not have', () => {
    const names = new Set(['run_flow']);
    expect(callsInText('Send {"name": "run_flow", "arguments": {}} to run it.', names)).toEqual([]);
    expect(callsInText('{"name": "delete_everything", "arguments": {}}', names)).toEqual([]);
    expect(callsInText('{"name": "run_flow"}', names)).toEqual([{ name: 'run_flow', args: {} }]);
  });
});

it.each([
  ['{"intent": "run_flow", "scope": "edit"}', 'run_flow', 'edit'],
  ['```json\n{"intent": "build_flow"}\n```', 'build_flow', 'unknown'],
  ['Sure! {"translation": "hi", "intent": "off_topic"} Anything else?', 'off_topic', 'unknown'],
  ['You said {this}: {"intent": "build_flow", "scope": "edit"} Anything else?', 'build_flow', 'edit'],
  ['Sure!\n```\n{"scope": "edit", "intent": "run_flow"}\n```\nIs that a {"plan"}?', 'run_flow', 'edit'],
  ['The intent is "build_flow", I think.', 'build_flow', 'unknown'],
  ['I do not know.', 'question', 'unknown'],
  ['{"intent": "drop_tables"}', 'question', 'unknown'],
])('reads an intent from %s', (text, intent, scope) => {
  expect(readIntent(text)).toMatchObject({ intent, scope });
});

it.each([
  ['a record without an end', `{${'"intent"'.repeat(20_000)}`],
  ['a fence without an end', `\`\`\`${' '.repeat(100_000)}`],
])('reads an intent in time in proportion to the reply: %s', (_, text) => {
  // More than 100 where the rest of the reply is searched from each place in it.
  expect(leastCpuMs(() => readIntent(text)) / yardstickMs()).toBeLessThan(50);
});
