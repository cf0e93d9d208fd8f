import { createRegistry, type Descriptor, emptyFlow, type FlowDocument } from '@croft/flow';
import { createElement } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { NO_RUN, type RunState } from '../canvas/run-state.ts';
import { createRunStore, RunStoreContext } from '../canvas/run-store.ts';
import { nodeOf } from '../canvas/testing-nodes.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { usePage } from '../testing/page.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { createRunFrom, RunFromContext, useRunFrom, useWhyNotFrom } from './run-from.ts';

const server = useFakeApi();
const page = usePage();
beforeEach(dismissToasts);

const descriptor = (type: string, more: Partial<Descriptor> = {}) => ({
  descriptor: { type, label: type, fields: [], outputs: [], effects: [], ...more } as unknown as Descriptor,
});
const registry = createRegistry([descriptor('T')]);
const flow: FlowDocument = { ...emptyFlow('f'), nodes: [nodeOf('a'), nodeOf('b')] };

function open(state: Partial<RunState> = {}, save: 'saved' | 'refused' = 'saved') {
  const store = createRunStore();
  store.set({
    ...NO_RUN,
    status: 'completed',
    nodes: { a: { status: 'done', rounds: 1, text: '' } },
    ...state,
  } as RunState);
  const runs: unknown[] = [];
  const edits = {
    get: () => ({ save: { kind: save, message: 'x' } }),
    subscribe: () => () => undefined,
    flush: () => undefined,
  };
  const run = async (request: unknown, isQueued: boolean, prepare: () => Promise<boolean>) => {
    if (await prepare()) runs.push([request, isQueued]);
  };
  const running = { store, run };
  const runFrom = createRunFrom({ flow, registry, edits, running } as unknown as Parameters<typeof createRunFrom>[0]);
  return { runs, runFrom, store };
}
const toasts = async () => (await page.show(createElement(Toaster))).textContent;

it('runs the component with the inputs of the last run, without those of components that are gone', async () => {
  const { runs, runFrom } = open({ inputs: { b: { text: 'x' }, gone: { text: 'y' } } } as never);
  await runFrom.start('a');
  expect(runs).toEqual([[{ startAt: 'a', inputs: { b: { text: 'x' } } }, false]]);
});

it('reads the inputs from the history after a reload', async () => {
  server.answer('GET /api/v1/runs/r1', { run: { timeline: [] } });
  const { runs, runFrom } = open({ stored: 'r1' });
  await runFrom.start('a');
  expect(runs).toEqual([[{ startAt: 'a', inputs: {} }, false]]);
});

it('says why it cannot start there, and what failed', async () => {
  const { runs, runFrom } = open({ inputs: {}, status: 'running' });
  await runFrom.start('a');
  expect(await toasts()).toMatch(/under way/);
  dismissToasts();
  server.answer('GET /api/v1/runs/r1', refusal(404, 'gone', 'There is no such run.'));
  await open({ stored: 'r1' }).runFrom.start('a');
  expect(await toasts()).toBe('The run was not started. There is no such run.');
  expect(runs).toEqual([]);
});

it('starts nowhere in a flow that asks a person', async () => {
  const asking = createRegistry([descriptor('T', { effects: ['wait'] })]);
  const runFrom = createRunFrom({ flow, registry: asking, edits: {}, running: { store: createRunStore() } } as never);
  expect(runFrom.refusal).toMatch(/asks a person/);
  await runFrom.start('a');
  expect(await toasts()).toBe(runFrom.refusal);
});

it('offers the start to a component only while it is possible', async () => {
  const { runFrom, store } = open({ inputs: {} });
  const started: string[] = [];
  const offered = { ...runFrom, start: async (id: string) => void started.push(id) };
  const at = async (id: string, refused?: string) =>
    page.hook(
      () => [useRunFrom(id), useWhyNotFrom()(id)] as const,
      (inner) =>
        createElement(
          RunStoreContext,
          { value: store },
          createElement(RunFromContext, { value: { ...offered, refusal: refused } }, inner),
        ),
    );
  const [a, b, refused] = [await at('a'), await at('b'), await at('a', 'No.')];
  expect([typeof a.current[0], typeof b.current[0], typeof refused.current[0]]).toEqual([
    'function',
    'undefined',
    'undefined',
  ]);
  expect([a.current[1], refused.current[1]]).toEqual([undefined, 'No.']);
  expect(b.current[1]).toBe('The last run did not reach this component.');
  a.current[0]?.();
  expect(started).toEqual(['a']);
});
