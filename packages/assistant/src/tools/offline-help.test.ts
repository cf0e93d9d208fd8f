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
    expect(text).toMatch(
      /^Templates with words of your request; .*:\n\n- use template sort-list \(Sorts a list\)\n\n$/,
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
  expect(notBuilt(['a', 'b'], 'Closest. ')).toMatch(/^Not built: “a”, “b”\. .* Closest\. For free requests/);
});

it('says where to set when a flow runs, and what starts it', () => {
  expect(scheduled('every day')).toMatch(/^Not set: “every day”\. .*\*\*Use it\*\*/);
  expect(startedBy(['Webhook', 'ScheduleTrigger'], undefined)).toContain('add a webhook');
  expect(startedBy(['ScheduleTrigger'], undefined)).toContain('add its times');
  expect([startedBy(['ScheduleTrigger'], 'every day'), startedBy(['ChatInput'], undefined)]).toEqual(['', '']);
});

describe('help', () => {
  it('shows examples, and those about a flow where there is one', async () => {
    const [empty, full] = [await help({}), await help({}, FLOW)];
    expect(empty['text']).toContain(`${listed(EXAMPLES)}\n\n${WITHOUT_RULES}`);
    expect(full['text']).toContain(listed([...EXAMPLES, ...FLOW_EXAMPLES]));
    for (const each of [empty, full])
      expect([each['ends_request'], each['leftOut'], each['summary']]).toEqual([undefined, [], each['text']]);
  });

  it('says what it did not understand and what it did not reach, and ends the request', async () => {
    const unclear = await help({ not_understood: 'dance', not_reached: 'run it' }, FLOW);
    expect(unclear['text']).toMatch(/^I did not understand “dance”\. Not done: “run it”\. I am croft\/offline: rules/);
    expect(unclear['text']).toContain(listed(FLOW_EXAMPLES.slice(0, 3)));
    expect(unclear['text']).not.toContain(FLOW_EXAMPLES[3]);
    expect(unclear).toMatchObject({ leftOut: ['dance', 'run it'], ends_request: true, declined: true });
    expect((await help({ not_understood: 'dance' }))['text']).toContain(listed(EXAMPLES));
    expect((await help({ not_reached: 'run it' }))['text']).toBe('Not done: “run it”.');
    expect((await help({ not_understood: 'sort it' }, undefined, { templates: [SORTED] }))['text']).toContain(
      'use template sort-list',
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
