import type { Component, Outputs } from '../component.ts';
import type { FlowDocument } from '../document.ts';
import { createRegistry } from '../registry.ts';
import { anyField, anyOutput, fakeComponent } from '../testing.ts';
import type { RunEvent } from './events.ts';
import { runToEnd, type RunResult } from './run-flow.ts';
import type { RunOptions } from './run-options.ts';

export const step = fakeComponent('Step');
const join = fakeComponent('Join', {
  fields: [anyField('in', { list: true })],
  run: ({ inputs }) => ({ out: inputs['in'] as unknown }),
});
const branch = fakeComponent('Branch', {
  outputs: [anyOutput('yes', { branch: true }), anyOutput('no', { branch: true })],
  run: ({ inputs }): Outputs => (inputs['in'] === true ? { yes: 1 } : { no: 1 }),
});
const fails = fakeComponent('Fails', {
  run: () => {
    throw new Error('it broke with sk-abcdefgh12345678');
  },
});
const needs = fakeComponent('Needs', {
  fields: [anyField('in', { required: true }), anyField('other')],
  run: ({ inputs }) => ({ out: inputs['in'] }),
});
const add = fakeComponent('Add', {
  fields: [anyField('in'), { name: 'n', label: 'n', kind: 'number', default: 1 }],
  run: ({ inputs }) => ({ out: Number(inputs['in'] ?? 0) + Number(inputs['n']) }),
});
const loop = fakeComponent('Loop', {
  fields: [anyField('data', { required: true })],
  outputs: [anyOutput('item', { loop: true }), anyOutput('done')],
  descriptor: { control: 'loop' },
  run: ({ inputs }) => ({ item: inputs['data'] }),
});
const until = fakeComponent('Until', {
  fields: [anyField('in'), { name: 'max_iterations', label: 'Rounds', kind: 'integer', default: 10 }],
  outputs: [anyOutput('again', { branch: true }), anyOutput('end', { branch: true })],
  descriptor: { control: 'router' },
  run: ({ inputs }): Outputs => (Number(inputs['in']) < 5 ? { again: inputs['in'] } : { end: inputs['in'] }),
});
export const rows = fakeComponent('Rows', {
  fields: [{ name: 'rows', label: 'Rows', kind: 'json' }],
  run: ({ inputs }) => ({ out: inputs['rows'] }),
});
/** Small components for runs in tests. */
export const registry = createRegistry<Component>([step, join, branch, fails, needs, add, loop, until, rows]);

/** Runs a flow of these components; its result with all events. For tests. */
export async function run(
  flow: FlowDocument,
  options: Partial<RunOptions<unknown>> = {},
): Promise<RunResult & { events: RunEvent[] }> {
  const events: RunEvent[] = [];
  const result = await runToEnd(flow, { registry, services: {}, ...options }, (event) => void events.push(event));
  return { ...result, events };
}

/** The nodes of the events of a kind. For tests. */
export const kinds = (events: readonly RunEvent[], kind: RunEvent['kind']) =>
  events.filter((event) => event.kind === kind).map((event) => ('node' in event ? event.node : ''));
