import { createRegistry, emptyFlow } from '@croft/flow';
import { act, createElement } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Finding } from '../api/flows.ts';
import type { NodeView } from '../canvas/node-view.ts';
import type { RunField } from '../canvas/run-fields.ts';
import { NO_RUN, type RunState } from '../canvas/run-state.ts';
import { createRunStore, RunStoreContext } from '../canvas/run-store.ts';
import { nodeOf } from '../canvas/testing-nodes.ts';
import { settle, useFakeApi } from '../testing/fake-api.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { FlowSide } from './flow-side.tsx';

const server = useFakeApi();
const page = usePage();
beforeEach(() => server.answer('GET /api/v1/flows/f1/components/A/origin', { origin: null }));

const view = (id: string): NodeView => ({
  id,
  title: `Title ${id}`,
  kind: 'Kind',
  category: 'text',
  isKnown: true,
  fields: [],
  inputs: [],
  outputs: [],
});
const finding = (more: Partial<Finding> = {}): Finding => ({
  severity: 'error',
  code: 'missing_value',
  node: 'A',
  field: 'in',
  message: 'A needs a value.',
  fix: 'Set it.',
  ...more,
});

async function show({ selected = {}, run: state = {}, save = 'saved', ...more }: Record<string, object | string> = {}) {
  const started = vi.fn();
  const run = async (request: unknown, isQueued: boolean, prepare: () => Promise<boolean>) => {
    if (await prepare()) started(request, isQueued);
  };
  const running = { run: vi.fn(run), stop: vi.fn(async () => undefined) };
  const edits = {
    get: () => ({ save: { kind: save } }),
    subscribe: () => () => undefined,
    flush: vi.fn(),
    endStep: vi.fn(),
  };
  const chosen = {
    ids: [],
    id: undefined,
    tab: 'run',
    setTab: vi.fn(),
    wanted: undefined,
    reached: vi.fn(),
    open: vi.fn(),
  };
  const store = createRunStore();
  store.set({ ...NO_RUN, ...(state as object) } as RunState);
  const props = {
    flowId: 'f1',
    version: 1,
    flow: { ...emptyFlow('f'), nodes: [nodeOf('A'), nodeOf('B')] },
    registry: createRegistry([]),
    views: new Map([
      ['A', view('A')],
      ['B', view('B')],
    ]),
    fields: [],
    findings: [],
    isReadOnly: false,
    edits,
    apply: vi.fn(),
    running,
    runForm: { current: null },
    selected: { ...chosen, ...(selected as object) },
    onShow: vi.fn(),
    ...more,
  };
  const side = createElement(FlowSide, props as unknown as Parameters<typeof FlowSide>[0]);
  const box = await page.show(inClient(testClient())(createElement(RunStoreContext, { value: store }, side)));
  return { box, started, running, edits, selected: props.selected as typeof chosen };
}

describe('the column beside the canvas', () => {
  it('is not there for an empty flow', async () => {
    expect((await show({ flow: emptyFlow('f') })).box.innerHTML).toBe('');
  });

  it('runs the flow after its changes are saved, and stops it', async () => {
    const { box, started } = await show();
    await fire(box.querySelector('form') as Element, 'submit');
    await vi.waitFor(() => expect(started.mock.calls).toEqual([[{ inputs: {} }, false]]));
    const under = await show({ run: { status: 'running' } });
    const stop = [...under.box.querySelectorAll('button')].find((each) => each.textContent.includes('Stop'));
    await fire(stop as Element, 'click');
    expect(under.running.stop).toHaveBeenCalledOnce();
  });

  it('does not run a flow whose changes are not saved', async () => {
    const { box, started, running } = await show({ save: 'conflict' });
    await fire(box.querySelector('form') as Element, 'submit');
    await running.run.mock.results[0]?.value;
    expect(started).not.toHaveBeenCalled();
  });

  it('has the outline, which opens components', async () => {
    const { box, selected } = await show();
    const row = [...box.querySelectorAll('button')].find((each) => each.textContent.includes('Title B'));
    await fire(row as Element, 'click');
    expect(selected.open.mock.calls[0]?.[0]).toBe('B');
  });

  it('counts errors, without those that the form of the run asks for', async () => {
    const field = {
      node: 'A',
      field: { name: 'in', label: 'In', kind: 'text', required: true },
    } as unknown as RunField;
    const count = async (more: object) =>
      [...(await show(more as never)).box.querySelectorAll('[role=tab]')].at(-1)?.textContent;
    expect(await count({ findings: [finding(), finding({ node: 'B' }), finding({ severity: 'warning' })] })).toBe(
      'Problems2',
    );
    expect(await count({ findings: [finding()], fields: [field] })).toBe('Problems');
    const { box } = await show({ findings: [finding()], fields: [field], selected: { tab: 'problems' } });
    expect(box.textContent).toContain('The form of the run asks for it. Set it here to keep it.');
  });

  it('shows why the last run failed among the problems, and leads to its field', async () => {
    const failure = { node: 'B', field: 'by', message: 'It broke.' };
    const { box, selected } = await show({ run: { status: 'failed', failure }, selected: { tab: 'problems' } });
    const problems = box.querySelector('section[aria-label=Problems]') as Element;
    expect(problems.textContent).toContain('Error of the last runTitle B · byIt broke.');
    await fire(named(problems, 'Show Title B'), 'click');
    expect(selected.open.mock.calls).toEqual([['B', 'by']]);
  });

  it('focuses the field that was asked for, and says so once', async () => {
    vi.stubGlobal('CSS', { escape: (text: string) => text });
    const wanted = { node: 'A', field: undefined };
    const { selected } = await show({ selected: { ids: ['A'], id: 'A', tab: 'component', wanted } });
    await vi.waitFor(() => expect(selected.reached).toHaveBeenCalledOnce());
    const none = await show({ selected: { ids: ['A'], id: 'A', tab: 'component' } });
    await act(settle);
    expect(none.selected.reached).not.toHaveBeenCalled();
  });

  it('ends a step of edits when a field is left', async () => {
    const { box, edits } = await show();
    await fire(box.querySelector('button') as Element, 'focusout');
    expect(edits.endStep).toHaveBeenCalledOnce();
  });
});

describe('the selected component', () => {
  const OPEN = { id: 'A', ids: ['A'], tab: 'component' };

  it('is shown with its name, and closed', async () => {
    const { box, selected } = await show({ selected: OPEN });
    expect(box.querySelector('[data-component]')?.getAttribute('aria-label')).toBe('Component Title A');
    await fire(named(box, 'Close the component'), 'click');
    expect(selected.open.mock.calls).toEqual([[undefined]]);
  });

  it('is changed by edits of the flow', async () => {
    const apply = vi.fn();
    const { box } = await show({ selected: OPEN, apply } as never);
    const name = box.querySelector('[data-component] input') as Element;
    await type(name, 'Mine');
    expect(apply.mock.calls).toEqual([[[{ kind: 'rename', id: 'A', name: 'Mine' }]]]);
    const fixed = await show({ selected: OPEN, isReadOnly: true } as never);
    expect(fixed.box.querySelector<HTMLInputElement>('[data-component] input')?.disabled).toBe(true);
  });

  it('is not shown for a note, or without one', async () => {
    for (const chosen of [{ ...OPEN, id: 'note' }, { tab: 'component' }]) {
      const { box } = await show({ selected: chosen });
      expect([box.querySelector('[data-component]'), box.textContent.includes('No component selected')]).toEqual([
        null,
        true,
      ]);
    }
  });
});
