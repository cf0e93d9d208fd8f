import { describe, expect, it } from 'vitest';
import { flowOf, toolContext } from '../../../../tests/support/tool-context.ts';
import {
  cannotDo,
  EMPTY_CANVAS,
  EXAMPLES,
  FLOW_EXAMPLES,
  listed,
  notBuilt,
  notUnderstood,
  OFFLINE_HELP,
  scheduled,
  startedBy,
  templatesFor,
  WITHOUT_RULES,
} from './offline-help.ts';
import { shownTools } from '../testing.ts';

const FLOW = flowOf('name: Echo\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n');
const SORTED = { name: 'sort-list', description: 'Sorts a list.', spec: 'nodes:\n  S: SortRows\n' };

async function help(args: Record<string, unknown>, flow?: typeof FLOW, turn = {}) {
  const { call, context } = await toolContext(flow, { turn });
  return { ...(await call(OFFLINE_HELP, 'show_help', args)), leftOut: context.notes.leftOut } as Record<string, any>;
}

describe('templates for a request', () => {
  it('each have the sentence that builds them', async () => {
    const { context } = await toolContext(undefined, { turn: { templates: [SORTED] } });
    const text = templatesFor('sort my list', context.turn);
    expect(text).toBe(
      'Templates with words of your request; write one of these to build it, and change it then:\n\n- use template sort-list (Sorts a list)\n\n',
    );
    expect([templatesFor('fly away', context.turn), cannotDo('sort my list', context.turn).includes(text)]).toEqual([
      '',
      true,
    ]);
  });
});

it('quotes at most 200 characters of what it has no rule for, and names examples', async () => {
  const { context } = await toolContext();
  expect(cannotDo('x'.repeat(300), context.turn)).toBe(
    `I built nothing: I have no rule for “${'x'.repeat(200)}”. Write, for example:\n\n${listed(EXAMPLES)}\n\n${WITHOUT_RULES}`,
  );
});

it('notes what is not built, if anything', () => {
  expect(notBuilt([])).toBe('');
  const note = (closest: string) =>
    `Not built: “a”, “b”. I have no rule for these words, so the flow does not yet do all that you asked for. Add this step yourself, or write a request with what I know: build a flow that lists all files in my folder, then run it. ${closest}For free requests, set up a model provider: under Settings on a server, or with a key such as OPENAI_API_KEY for \`croft chat\`.`;
  expect([notBuilt(['a', 'b'], 'Closest. '), notBuilt(['a', 'b'])]).toEqual([note('Closest. '), note('')]);
  expect(EMPTY_CANVAS).toBe(
    'The flow is empty, so it cannot be described. Write first, for example: build a flow that lists all files in my folder, then run it.',
  );
  expect([...EXAMPLES, ...FLOW_EXAMPLES]).toEqual([
    'build a flow that lists all files in my folder, then run it',
    'build a flow that finds all email addresses in a message',
    'explain this flow',
    'run it',
    'add a step that writes the result to out.txt',
    'document this flow in FLOW.md',
    'undo that',
  ]);
});

it('says where to set when a flow runs, and what starts it', () => {
  expect(scheduled('every day')).toBe(
    'Not set: “every day”. A flow does not say when it runs: on a server, **Use it** above the canvas sets a schedule.',
  );
  expect(startedBy(['Webhook', 'ScheduleTrigger'], undefined)).toBe(
    'Requests start this flow. On a server, **Use it** above the canvas adds a webhook: it shows the address and, once, the secret.',
  );
  expect(startedBy(['ScheduleTrigger'], undefined)).toBe(
    'A schedule starts this flow. On a server, **Use it** above the canvas adds its times.',
  );
  expect([startedBy(['ScheduleTrigger'], 'every day'), startedBy(['ChatInput'], undefined)]).toEqual(['', '']);
});

describe('help', () => {
  it('shows examples, and those about a flow where there is one', async () => {
    const who = 'I am croft/offline: rules, not a language model. Write, for example:';
    const text = (examples: readonly string[]) => `${who}\n\n${listed(examples)}\n\n${WITHOUT_RULES}`;
    const shown = (examples: readonly string[]) => ({ text: text(examples), summary: text(examples), leftOut: [] });
    expect([await help({}), await help({}, FLOW)]).toEqual([shown(EXAMPLES), shown([...EXAMPLES, ...FLOW_EXAMPLES])]);
  });

  it('says what it did not understand and what it did not reach, and ends the request', async () => {
    const ends = (text: string, ...leftOut: string[]) => ({
      text,
      summary: text,
      ends_request: true,
      declined: true,
      leftOut,
    });
    const unclear = (said: string, examples: readonly string[], templates = '') =>
      `${said} I am croft/offline: rules, not a language model. Write, for example:\n\n${listed(examples)}\n\n${templates}${WITHOUT_RULES}`;
    expect(await help({ not_understood: 'dance', not_reached: 'run it' }, FLOW)).toEqual(
      ends(unclear('I did not understand “dance”. Not done: “run it”.', FLOW_EXAMPLES.slice(0, 3)), 'dance', 'run it'),
    );
    const long = 'd'.repeat(201);
    expect(await help({ not_understood: long })).toEqual(
      ends(unclear(`I did not understand “${'d'.repeat(200)}”.`, EXAMPLES), long),
    );
    expect(await help({ not_reached: long })).toEqual(ends(`Not done: “${'d'.repeat(200)}”.`, long));
    const { context } = await toolContext(undefined, { turn: { templates: [SORTED] } });
    expect(await help({ not_understood: 'sort it' }, undefined, { templates: [SORTED] })).toEqual(
      ends(unclear('I did not understand “sort it”.', EXAMPLES, templatesFor('sort it', context.turn)), 'sort it'),
    );
  });

  it('says that a long message is too long for rules', async () => {
    const { text } = await help({ not_understood: 'word '.repeat(5_000) });
    expect(text).not.toContain('I did not understand');
    expect(text.length).toBeLessThan(1_000);
  });
});

it('fails where a tool would not carry out a part', async () => {
  const { context } = await toolContext(FLOW);
  const result = notUnderstood(['a', 'b'], context);
  expect(result).toMatchObject({ error: expect.stringContaining('I did not understand “a, b”.'), ends_request: true });
  expect(context.notes.leftOut).toEqual(['a', 'b']);
});

it('leaves a schedule out', async () => {
  const { call, context } = await toolContext();
  expect(await call(OFFLINE_HELP, 'explain_schedule', { schedule: 'daily' })).toEqual({
    text: scheduled('daily'),
    summary: scheduled('daily'),
    ends_request: true,
    declined: true,
  });
  expect(context.notes.leftOut).toEqual(['daily']);
});

it('explains a flow, if there is one', async () => {
  const full = await toolContext(FLOW);
  const result = await full.call(OFFLINE_HELP, 'explain_flow');
  expect(result['text']).toMatch(/^# Echo\n[\s\S]*Chat input[\s\S]*\S$/);
  expect(result['summary']).toBe(result['text']);
  const empty = await toolContext();
  expect((await empty.call(OFFLINE_HELP, 'explain_flow'))['error']).toBe(EMPTY_CANVAS);
  expect(OFFLINE_HELP.map((tool) => tool.label({}))).toEqual([
    'Looking for examples',
    'Looking for a schedule',
    'Reading the flow',
  ]);
});

it('shows its tools to models and people in these words', () => {
  expect(shownTools(OFFLINE_HELP)).toEqual([
    'show_help | Looking for examples | Shows examples of requests. | {"type":"object","additionalProperties":false}',
    '- not_understood?: {"type":"string"} The part of the request that no rule fits.',
    '- not_reached?: {"type":"string"} The steps after it, or after a failure.',
    'explain_schedule | Looking for a schedule | Says where a flow gets its schedule. | {"type":"object","additionalProperties":false}',
    '- schedule: {"type":"string"} When to run, in the words of the user.',
    'explain_flow | Reading the flow | Explains the flow: what it does, step by step. | {"type":"object","additionalProperties":false}',
  ]);
});
