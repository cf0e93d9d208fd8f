import { builtinRegistry, TEMPLATES } from '@croft/components';
import { buildFromSpec, emptyFlow } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { WORD_COUNT_SPEC } from '../testing.ts';
import { callForFlow, changesFlow, readFlowRequest } from './flow-request.ts';

const registry = builtinRegistry();
const built = buildFromSpec(
  'nodes:\n  R: ReadData\n  S: SortRows\n  O: ChatOutput\nedges:\n  R.dataframe -> S.df\n  S.output -> O.input_value\nconfig:\n  R.path: orders.csv\n  S.column_name: amount\n',
  registry,
);
if ('error' in built) throw new Error(built.details);
const { flow } = built;
const call = (message: string, among = flow) =>
  callForFlow(message, among, { registry, templates: TEMPLATES }, new Set(['explain_flow']));
/** The name of the call beside a flow, and on an empty canvas. */
const tools = (message: string) => [flow, emptyFlow()].map((each) => call(message, each)?.split(' ')[0] ?? '-');

describe('a message', () => {
  it.each([
    ['build a flow that sorts a.csv, then run it', 'build a flow that sorts a.csv', true, true],
    ['sort a.csv; and please start the flow now!', 'sort a.csv', true, true],
    ['sort a.csv. make it a flow', 'sort a.csv', false, true],
    ['sort a.csv, build that and run it', 'sort a.csv', true, true],
    [' please run it', '', true, true],
    ['hello', 'hello', false, false],
  ])('ends with what to do with the flow: %s', (message, request, run, isNamed) =>
    expect(readFlowRequest(message)).toEqual({ request, run, isNamed }),
  );

  it('changes the flow that is there, and no empty canvas', () => {
    expect(changesFlow('also sort it', flow)).toBe(true);
    expect(changesFlow('let this flow sort', flow)).toBe(true);
    expect(changesFlow('sort it', flow)).toBe(false);
    expect(changesFlow('also sort it', emptyFlow())).toBe(false);
  });
});

describe('the call for a message', () => {
  it('has its words without the polite beginning', () => {
    expect(call('Could you please build a flow that sorts the rows of orders.csv by amount')).toBe(
      'draft_flow {"request":"build a flow that sorts the rows of orders.csv by amount"}',
    );
    expect(call('use the template `Word-Count`')).toBe('use_template {"template_name":"word-count"}');
    expect(call('can you remove the sort step?')).toBe('remove_step {"request":"remove the sort step?"}');
    expect(call('add a sort rows step')).toBe('add_step {"request":"add a sort rows step"}');
    expect(call('sort by name')).toBe('add_step {"request":"sort by name"}');
    expect(call('what files do I have?')).toBe('glob_search {"pattern":"**/*"}');
    expect(call('explain it, then run it')).toBeUndefined();
  });

  it.each([
    ['what does this flow do?', 'explain_flow', 'explain_flow'],
    ['sort the rows of orders.csv by amount', 'draft_flow', 'draft_flow'],
    ['fetch https://example.com and count its words', 'draft_flow', 'draft_flow'],
    ['make me a flow', 'draft_flow', 'draft_flow'],
    ['keep only lines without DEBUG', 'add_step', 'draft_flow'],
    ['ask me before it writes out.txt', 'add_step', 'draft_flow'],
    ['sort by name', 'add_step', '-'],
    ['change the result to upper case', 'add_step', '-'],
    ['also count the words of notes.md', '-', 'draft_flow'],
    ['count the words of whatever I type', '-', 'draft_flow'],
    ['count the words of what I type and describe them', '-', 'draft_flow'],
    ['describe the words of what I type', '-', '-'],
    ['when I type a message, count its words', '-', 'draft_flow'],
    ['count the words of notes.md and paint it', '-', 'draft_flow'],
    ['replace "a" with "b" in notes.md and save it to y.txt', '-', 'draft_flow'],
    ['how can I sort the rows of orders.csv by amount?', '-', '-'],
    ['what is a list of templates?', '-', '-'],
    ['build a flow that counts words, run it and explain it', '-', '-'],
    ['replace "a" with "b"', '-', '-'],
    ['change a to b', '-', '-'],
    ['count words', '-', '-'],
    ['use template none', '-', '-'],
    ['hello', '-', '-'],
  ])('beside a flow and on an empty canvas: %s', (message, beside, empty) =>
    expect(tools(message)).toEqual([beside, empty]),
  );

  it('is left to the rules of tools where the message names a tool, which is not a file', () => {
    expect(tools('explain_flow and count the words of notes.md')).toEqual(['-', '-']);
    expect(tools('count the words of explain_flow.md')).toEqual(['draft_flow', 'draft_flow']);
    expect(tools('sort the rows of orders.csv by unit_price')).toEqual(['draft_flow', 'draft_flow']);
  });

  it('is not made for a message of more than 1,000 characters', () => {
    const message = 'make me a flow'.padEnd(1_000, '.');
    expect(tools(message)).toEqual(['draft_flow', 'draft_flow']);
    expect(tools(`${message}.`)).toEqual(['-', '-']);
  });

  it('is a step for the flow that is there only where the step has values', () => {
    const counting = buildFromSpec(WORD_COUNT_SPEC, registry);
    if ('error' in counting) throw new Error(counting.details);
    expect(call('sort by name', counting.flow)).toBe('add_step {"request":"sort by name"}');
    expect(call('count the words', counting.flow)).toBeUndefined();
  });
});
