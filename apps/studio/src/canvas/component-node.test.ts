import { ReactFlowProvider } from '@xyflow/react';
import { act, createElement, useState } from 'react';
import { describe, expect, it } from 'vitest';
import { createWiringStore, WiringContext } from '../editing/wiring.ts';
import { useFakeApi } from '../testing/fake-api.ts';
import { usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { ComponentCard } from './component-node.tsx';
import { FindingsContext } from './findings.ts';
import { portColor } from './graph.ts';
import type { NodeView } from './node-view.ts';
import { NO_RUN, type NodeRun, type RunState } from './run-state.ts';
import { createRunStore, RunStoreContext } from './run-store.ts';

useFakeApi();
const page = usePage();
const port = (name: string, required = false) => ({
  name,
  label: `The ${name}`,
  types: ['Message', 'Data'] as const,
  required,
});
const VIEW: NodeView = {
  id: 'A',
  title: 'My reader',
  kind: 'Read file',
  category: 'files',
  isKnown: true,
  fields: [{ name: 'path', label: 'Path', value: 'a.txt' }],
  inputs: [port('in', true), port('more')],
  outputs: [port('out')],
};

interface Shown {
  readonly view?: Partial<NodeView>;
  readonly run?: Partial<NodeRun>;
  readonly state?: Partial<RunState>;
  readonly finding?: { message: string; fix: string };
  readonly fits?: readonly string[];
  readonly selected?: boolean;
}

async function show({ view = {}, run, state = {}, finding, fits, selected = false }: Shown = {}) {
  const runs = createRunStore();
  const nodes: Readonly<Record<string, NodeRun>> = run
    ? { A: { status: 'done', rounds: 1, text: '', ...run } as NodeRun }
    : {};
  runs.set({ ...NO_RUN, status: run ? 'running' : 'none', nodes, ...state });
  const wiring = createWiringStore();
  if (fits) wiring.set({ end: {} as never, fits: new Map([['A', new Set(fits)]]) });
  const props = { id: 'A', data: { view: { ...VIEW, ...view } }, selected, dragging: false, isConnectable: true };
  const card = createElement(ComponentCard, props as unknown as Parameters<typeof ComponentCard>[0]);
  const findings = new Map(finding ? [['A', finding]] : []) as never;
  const box = await page.show(
    inClient(testClient())(
      createElement(ReactFlowProvider, {
        children: createElement(
          RunStoreContext,
          { value: runs },
          createElement(WiringContext, { value: wiring }, createElement(FindingsContext, { value: findings }, card)),
        ),
      }),
    ),
  );
  const root = box.firstElementChild as HTMLElement;
  const [title, kind] = [...root.querySelectorAll('p')];
  const mark = root.querySelector('.shrink-0.items-center');
  return {
    root,
    title: title?.textContent,
    kind: kind?.textContent,
    mark,
    className: root.getAttribute('class') ?? '',
  };
}
const foot = async (shown: Shown) => (await show(shown)).root.lastElementChild?.textContent;
const border = async (shown: Shown) =>
  / border-(bad|warn|accent\/50|accent|line)(?= |$)/.exec((await show(shown)).className)?.[1];

describe('the card of a component', () => {
  it('has its title, kind, fields and ports', async () => {
    const { root, title, kind } = await show();
    expect([title, kind]).toEqual(['My reader', 'Read file']);
    expect([root.querySelector('dt')?.textContent, root.querySelector('dd')?.textContent]).toEqual(['Path', 'a.txt']);
    const ports = [...root.querySelectorAll('li')].map((each) => [each.textContent, each.getAttribute('title')]);
    expect(ports).toEqual([
      ['The in (required), Message or Data', 'Message or Data'],
      ['The more, Message or Data', 'Message or Data'],
      ['The out, Message or Data', 'Message or Data'],
    ]);
    const handles = [...root.querySelectorAll('.react-flow__handle')];
    expect(handles.map((each) => [each.getAttribute('data-handleid'), each.getAttribute('data-handlepos')])).toEqual([
      ['in', 'left'],
      ['more', 'left'],
      ['out', 'right'],
    ]);
    const kinds = handles.map(({ classList }) =>
      ['target', 'source', 'connectable'].filter((each) => classList.contains(each)),
    );
    expect(kinds).toEqual([
      ['target', 'connectable'],
      ['target', 'connectable'],
      ['source', 'connectable'],
    ]);
    expect(handles.map((each) => (each as HTMLElement).style.background)).toEqual(
      VIEW.inputs.concat(VIEW.outputs).map(({ types }) => portColor(types)),
    );
  });

  it('has its category where it has no title of its own, and says that it is not known', async () => {
    expect((await show({ view: { title: 'Read file' } })).kind).toBe('files');
    expect((await show({ view: { isKnown: false } })).kind).toBe('This server has no such component');
    expect((await show({ view: { fields: [] } })).root.querySelector('dl')).toBeNull();
  });

  it('has a border for its state', async () => {
    const borders: (string | undefined)[] = [];
    for (const shown of [
      {},
      { run: { status: 'running' } },
      { run: { status: 'done' } },
      { run: { status: 'failed' } },
      { run: { status: 'asking' } },
      { view: { isKnown: false } },
      { finding: { message: 'no', fix: 'do' } },
    ] as const)
      borders.push(await border(shown));
    expect(borders).toEqual(['line', 'accent', 'accent/50', 'bad', 'warn', 'bad', 'bad']);
    expect((await show({ selected: true })).className).toContain('ring-2');
    expect((await show()).className).not.toContain('ring-2');
  });

  it('shows which of its ports fit the wire that is drawn', async () => {
    const { root, className } = await show({ fits: ['in'] });
    const classes = [...root.querySelectorAll('li')].map((each) => each.getAttribute('class') ?? '');
    expect(classes.map((each) => [each.includes('fits'), each.includes('opacity-50')])).toEqual([
      [true, false],
      [false, true],
      [false, true],
    ]);
    expect([className.includes('opacity-60'), (await show({ fits: [] })).className.includes('opacity-60')]).toEqual([
      false,
      true,
    ]);
  });
});

describe('the mark of a run', () => {
  it.each<[string, Partial<NodeRun>]>([
    ['Waiting', { status: 'waiting' }],
    ['Running', { status: 'running', ms: 5 }],
    ['Waits for you', { status: 'asking' }],
    ['Done200 ms', { status: 'done', ms: 200 }],
    ['Done ×2', { status: 'done', rounds: 2 }],
    ['Reused', { status: 'done', isReused: true }],
    ['Failed', { status: 'failed', isReused: true }],
    ['Skipped', { status: 'skipped' }],
  ])('is %s', async (text, run) => expect((await show({ run })).mark?.textContent).toBe(text));

  it('is that the component changed', async () => {
    const { mark, root } = await show({
      run: { status: 'failed', rounds: 3, failure: { node: 'A', message: 'no' } },
      state: { changed: new Set(['A']) },
    });
    expect([mark?.textContent, mark?.getAttribute('title')]).toEqual(['Changed', 'Changed since the last run']);
    expect(root.lastElementChild?.textContent).toBe('Failed before the change.');
    expect((await show({ run: {} })).mark?.getAttribute('title')).toBeNull();
    expect((await show()).mark).toBeNull();
  });

  it('dims a component that was skipped', async () => {
    expect((await show({ run: { status: 'skipped' } })).className).toContain('opacity-60');
  });
});

describe('the foot of a card', () => {
  it.each<[string, Shown]>([
    ['So far', { run: { status: 'running', text: 'So far', progress: '1 of 2' } }],
    ['1 of 2', { run: { status: 'running', progress: '1 of 2' } }],
    ['Said', { run: { text: 'Said', outputs: { out: 'Result' } } }],
    ['Result', { run: { outputs: { out: 'Result' } } }],
    ['{"a":1}', { run: { text: '```json\n{"a":1}\n```' } }],
    ['it broke.mend it.', { run: { status: 'failed', failure: { node: 'A', message: 'it broke', fix: 'mend it' } } }],
    ['no value.set one.', { finding: { message: 'no value', fix: 'set one' } }],
    ['Said', { run: { text: 'Said' }, finding: { message: 'no value', fix: 'set one' } }],
  ])('says %s', async (text, shown) => expect(await foot(shown)).toBe(text));

  it('asks the person', async () => {
    const question = { key: 'q', node: 'A', text: 'May I?', options: ['Yes', 'No'], context: null } as never;
    const shown = await foot({ run: { status: 'asking', text: 'Said' }, state: { questions: [question] } });
    expect(shown).toMatch(/^May I\?/);
    expect(shown).not.toContain('Said');
  });
});

it('renders again when one of its properties changes', async () => {
  const before = { id: 'A', data: { view: VIEW }, selected: false, dragging: false, isConnectable: true };
  let change: (next: object) => void = () => undefined;
  const Host = () => {
    const [props, setProps] = useState<object>(before);
    change = setProps;
    return createElement(ComponentCard, props as Parameters<typeof ComponentCard>[0]);
  };
  const box = await page.show(
    inClient(testClient())(createElement(ReactFlowProvider, { children: createElement(Host) })),
  );
  const title = () => box.querySelector('p')?.textContent;
  expect(title()).toBe('My reader');
  await act(async () => change({ ...before, data: { view: { ...VIEW, title: 'Renamed' } } }));
  expect(title()).toBe('Renamed');
});
