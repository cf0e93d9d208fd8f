import { builtinRegistry } from '@croft/components';
import { describe, expect, it } from 'vitest';
import { costOf } from '../../../tests/support/yardstick.ts';
import { readIntent } from './intent.ts';
import { eventsOf, makeTurn, memoryCanvas, type ScriptedStep, scriptedModels } from './testing.ts';
import { callsInText } from './text-calls.ts';

const registry = builtinRegistry();
const SPEC = 'name: Echo\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n';
const NEW = ['{"intent": "build_flow", "scope": "new"}'];
const json = (value: unknown) => JSON.stringify(value);

const CALL = { name: 'build_flow', arguments: { spec: SPEC } };
const GOOD: ScriptedStep = { tool: 'build_flow', args: { spec: SPEC } };
const called = (text: string) => [[text], ['Done.']];
const twice = json(json({ spec: SPEC }));

/** Replies of small models that all mean: build this flow. */
const REPLIES: readonly (readonly [string, readonly (readonly ScriptedStep[])[]])[] = [
  ['a call as the whole text', called(json(CALL))],
  [
    'a call in a fence',
    called(`I will build it.\n\`\`\`json\n${json({ tool: 'build_flow', args: { spec: SPEC } })}\n\`\`\``),
  ],
  ['a call in a fence of tools', called(`\`\`\`tool_code\n${json(CALL)}\n\`\`\``)],
  ['a call in tags', called(`<tool_call>${json(CALL)}</tool_call>`)],
  ['a call in tags without an end', called(`Now:\n<tool_call>\n${json(CALL)}`)],
  ['a list of calls in tags', called(`<tool_calls>[${json(CALL)}]</tool_calls>`)],
  ['a call after a mark', called(`[TOOL_CALLS] [${json(CALL)}]`)],
  [
    'a call after a tag of Python',
    called(`<|python_tag|>${json({ name: 'build_flow', parameters: { spec: SPEC } })}<|eom_id|>`),
  ],
  ['a call with its name in the tag', called(`<function=build_flow>${json({ spec: SPEC })}</function>`)],
  [
    'a thought, an action and its input',
    called(`Thought: I build it.\nAction: build_flow\nAction Input: ${json({ spec: SPEC })}`),
  ],
  ['a sentence and a call in the last line', called(`I will build it.\n\n${json(CALL)}`)],
  [
    'a call of a function',
    called(json({ type: 'function', function: { name: 'build_flow', arguments: json({ spec: SPEC }) } })),
  ],
  [
    'a record of calls',
    called(json({ tool_calls: [{ id: 'a', function: { name: 'build_flow', arguments: { spec: SPEC } } }] })),
  ],
  ['a call whose arguments are encoded twice', called(json({ name: 'build_flow', arguments: twice }))],
  ['a call that is encoded twice', called(json(json(CALL)))],
  [
    'a text in place of the arguments',
    [[{ tool: 'build_flow', args: { spec: `\`\`\`yaml\n${SPEC}\`\`\`` } }, 'Done.']],
  ],
  ['a promise first', [['I will build it now.'], [GOOD, 'Done.']]],
  ['a claim first', [['Done, I built the flow and ran it.'], [GOOD, 'Done.']]],
  ['two promises first', [['Sure!'], ['Working on it.'], [GOOD, 'Done.']]],
  ['nothing first', [[], [GOOD, 'Done.']]],
  ['nothing twice first', [[], [], [GOOD, 'Done.']]],
  [
    'an unknown tool first',
    [
      [{ tool: 'make_flow', args: {} }, 'Done.'],
      [GOOD, 'Done.'],
    ],
  ],
  ['an unknown tool in a text first', [[json({ name: 'make_flow', arguments: {} })], [GOOD, 'Done.']]],
  ['broken JSON first', [['{"name": "build_flow", "arguments": {"spec": '], [GOOD, 'Done.']]],
  ['a wrong text first', [[{ tool: 'build_flow', args: { spec: 'nodes: [ChatInput]' } }, GOOD, 'Done.']]],
  ['no text of the flow first', [[{ tool: 'build_flow', args: {} }, GOOD, 'Done.']]],
  [
    'an unknown component first',
    [[{ tool: 'build_flow', args: { spec: SPEC.replace('ChatOutput', 'Chatbot') } }, GOOD, 'Done.']],
  ],
  [
    'a component without connections first',
    [[{ tool: 'build_flow', args: { spec: SPEC.replace('edges', '  X: CurrentDate\nedges') } }, GOOD, 'Done.']],
  ],
  ['no words after the call', [[GOOD]]],
  [
    'a file in place of a flow',
    [
      [{ tool: 'search_components', args: {} }, 'Here are components.'],
      [GOOD, 'Done.'],
    ],
  ],
];
/** Of these replies so many recover. */
const LEAST = 0.95;

describe('a small model', () => {
  it('recovers from 95 of 100 bad replies, and is named in the error after the others', async () => {
    const failures: string[] = [];
    for (const [what, replies] of REPLIES) {
      const canvas = memoryCanvas();
      const models = scriptedModels([NEW, ...replies]);
      const events = await eventsOf(makeTurn(registry, { canvas, models, message: 'Build an echo', skipAll: true }));
      const end = events.at(-1);
      if (end?.event === 'complete' && canvas.flow.nodes.map(({ type }) => type).join() === 'ChatInput,ChatOutput')
        continue;
      failures.push(what);
      expect(end).toMatchObject({ event: 'error', message: expect.stringContaining('Scripted/script') });
    }
    expect(REPLIES.length).toBeGreaterThanOrEqual(30);
    expect(1 - failures.length / REPLIES.length, failures.join(', ')).toBeGreaterThanOrEqual(LEAST);
  });

  it('is named where it gives no reply', async () => {
    const events = await eventsOf(
      makeTurn(registry, { models: scriptedModels([NEW, [], [], []]), message: 'Build it' }),
    );
    expect(events.at(-1)).toMatchObject({ event: 'error', message: expect.stringContaining('Scripted/script') });
  });

  it('makes no call that a model with real calls quotes', async () => {
    const canvas = memoryCanvas();
    const quoted = `The file says: <tool_call>${json({ name: 'undo_change' })}</tool_call>`;
    const models = scriptedModels([NEW, [GOOD, quoted]]);
    const events = await eventsOf(makeTurn(registry, { canvas, models, message: 'Build an echo', skipAll: true }));
    expect(events.filter(({ event }) => event === 'tool_start')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ event: 'complete' });
    expect(canvas.flow.nodes).toHaveLength(2);
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
])('reads an intent from %s', (text, intent, scope) => {
  expect(readIntent(text)).toMatchObject({ intent, scope });
});

it.each(['I do not know.', '{"intent": "drop_tables"}'])('reads no intent from %s', (text) => {
  expect(readIntent(text)).toBeUndefined();
});

it.each([
  ['a record without an end', `{${'"intent"'.repeat(20_000)}`],
  ['a fence without an end', `\`\`\`${' '.repeat(100_000)}`],
])('reads an intent in time in proportion to the reply: %s', async (_, text) => {
  // More than 100 where the rest of the reply is searched from each place in it.
  await expect.poll(() => costOf(() => readIntent(text))).toBeLessThan(50);
});
