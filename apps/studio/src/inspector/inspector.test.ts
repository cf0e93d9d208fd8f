import { createRegistry, type Descriptor, emptyFlow, type FlowNode } from '@croft/flow';
import { createElement } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Finding } from '../api/flows.ts';
import { graphOf } from '../canvas/graph.ts';
import { NO_RUN, type RunState } from '../canvas/run-state.ts';
import { createRunStore, RunStoreContext } from '../canvas/run-store.ts';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { Inspector } from './inspector.tsx';

const server = useFakeApi();
const page = usePage();
beforeEach(() => server.answer('GET /api/v1/flows/f1/components/A/origin', { origin: null }));

const STEP: Descriptor = {
  type: 'Step',
  label: 'A step',
  description: 'Does one thing.',
  category: 'text',
  effects: ['none'],
  fields: [
    { name: 'in', label: 'In', kind: 'handle', accepts: ['Any'] },
    { name: 'title', label: 'Title', kind: 'text', default: 'none' },
    { name: 'size', label: 'Size', kind: 'integer', advanced: true },
    { name: 'color', label: 'Color', kind: 'text', advanced: true },
  ],
  outputs: [{ name: 'out', label: 'Out', types: ['Any'] }],
};
const registry = createRegistry([{ descriptor: STEP }]);
const node = (id: string, more: Partial<FlowNode> = {}): FlowNode => ({
  id,
  type: 'Step',
  position: { x: 0, y: 0 },
  values: {},
  ...more,
});
const finding = (more: Partial<Finding>): Finding => ({
  severity: 'error',
  code: 'wrong_value',
  node: 'A',
  message: 'It is wrong.',
  fix: 'Mend it.',
  ...more,
});

async function show(own: Partial<FlowNode> = {}, more: object = {}, run: object = {}) {
  const flow = {
    ...emptyFlow('f'),
    nodes: [node('A', own), node('B', { name: 'Other' })],
    edges: [
      { from: { node: 'B', port: 'out' }, to: { node: 'A', port: 'in' } },
      { from: { node: 'A', port: 'out' }, to: { node: 'B', port: 'in' } },
    ],
  };
  const [apply, onShow, onClose] = [vi.fn(), vi.fn(), vi.fn()];
  const store = createRunStore();
  store.set({ ...NO_RUN, ...run } as RunState);
  const props = {
    flowId: 'f1',
    version: 1,
    flow,
    descriptors: registry,
    nodeId: 'A',
    views: graphOf(flow, registry, false).views,
    apply,
    findings: [],
    isReadOnly: false,
    onShow,
    onClose,
    ...more,
  };
  const inspector = createElement(Inspector, props as unknown as Parameters<typeof Inspector>[0]);
  const box = await page.show(inClient(testClient())(createElement(RunStoreContext, { value: store }, inspector)));
  const summaries = () => [...box.querySelectorAll('summary')].map((each) => each.textContent.trim());
  const inDetails = (name: string) => box.querySelector(`details [data-field=${name}]`) !== null;
  return { box, apply, onShow, onClose, summaries, inDetails };
}

describe('a component', () => {
  it('has its title, kind, description and options', async () => {
    const { box, onClose, summaries } = await show();
    const section = box.querySelector('section') as Element;
    expect([section.getAttribute('aria-label'), section.getAttribute('data-component')]).toEqual([
      'Component A step',
      'A',
    ]);
    expect([box.querySelector('h2')?.textContent, box.querySelector('header p')?.textContent]).toEqual([
      'A step',
      'text',
    ]);
    expect(box.textContent).toContain('Does one thing.');
    expect(summaries()).toEqual(['2 more fields', 'Run options', 'Inputs and outputs']);
    await fire(named(box, 'Close the component'), 'click');
    expect(onClose).toHaveBeenCalledOnce();
    expect((await show({ name: 'Mine' })).box.querySelector('header p')?.textContent).toBe('A step');
  });

  it('is nothing where the flow does not have it', async () => {
    expect((await show({}, { nodeId: 'none' })).box.innerHTML).toBe('');
  });

  it('of an unknown type has its name and ports only', async () => {
    const { summaries, box } = await show({ type: 'Gone' });
    await expect
      .poll(() => outline(box))
      .toEqual([
        'section[tabindex=-1][data-component=A][aria-label=Component Gone]',
        'h2 Gone',
        'p unknown component',
        'button[title=Close the component][aria-label=Close the component][type=button]',
        'icon x 17',
        'label[for=#1] Name',
        'input#1[placeholder=Gone][autoComplete=off][maxLength=200]',
        'p#1-error[role=alert]',
        'summary Inputs and outputs',
        'icon chevron-down 16',
        'section[aria-label=Inputs]',
        'h3 Inputs',
        'span In',
        'span[aria-hidden=true]',
        'span Any',
        'button[type=button]',
        'icon link-2 14',
        'span Other · Out',
        'span Connected with',
        'section[aria-label=Outputs]',
        'h3 Outputs',
        'span Out',
        'span[aria-hidden=true]',
        'span Any',
        'button[type=button]',
        'icon link-2 14',
        'span Other · In',
        'span Connected with',
      ]);
    expect(summaries()).toEqual(['Inputs and outputs']);
    expect(box.textContent).not.toContain('Does one thing.');
  });

  it('leads to what it is connected with', async () => {
    const { box, onShow } = await show();
    const links = [...box.querySelectorAll('button')].filter((each) => each.textContent.includes('Other'));
    expect(links.map((each) => each.textContent)).toEqual(['Connected with Other · Out', 'Connected with Other · In']);
    await fire(links[0] as Element, 'click');
    expect(onShow.mock.calls).toEqual([['B']]);
  });
});

describe('the name of a component', () => {
  const set = async (own: Partial<FlowNode>, text: string) => {
    const { box, apply } = await show(own);
    const field = [...box.querySelectorAll('label')].find((each) => each.textContent === 'Name');
    const input = box.querySelector(`#${CSS_ESCAPE(field?.getAttribute('for') ?? '')}`) as HTMLInputElement;
    expect(input.getAttribute('placeholder')).toBe('A step');
    await type(input, text);
    return apply.mock.calls;
  };
  const CSS_ESCAPE = (id: string) => id.replace(/[^\w-]/g, '\\$&');

  it('is changed without spaces around it, and removed where it is empty', async () => {
    expect(await set({}, ' Mine ')).toEqual([[[{ kind: 'rename', id: 'A', name: 'Mine' }]]]);
    expect(await set({ name: 'Mine' }, '')).toEqual([[[{ kind: 'rename', id: 'A', name: null }]]]);
    expect(await set({ name: 'Mine' }, 'Mine ')).toEqual([]);
  });
});

describe('the fields of a component', () => {
  it('are one edit each', async () => {
    const { box, apply } = await show();
    await type(box.querySelector('[data-field=title] input') as Element, 'Hello');
    expect(apply.mock.calls).toEqual([[[{ kind: 'configure', id: 'A', values: { title: 'Hello' } }]]]);
  });

  it('are in the first group where they have a value or a problem', async () => {
    const plain = await show();
    expect([plain.inDetails('title'), plain.inDetails('size'), plain.inDetails('color')]).toEqual([false, true, true]);
    const own = await show({ values: { size: 3 } });
    expect([own.inDetails('size'), own.summaries()[0]]).toEqual([false, '1 more field']);
    const wrong = await show(
      {},
      { findings: [finding({ field: 'size' }), finding({ field: 'color', severity: 'warning' })] },
    );
    expect([wrong.inDetails('size'), wrong.inDetails('color')]).toEqual([false, true]);
    expect(wrong.box.querySelector('[data-field=size]')?.textContent).toContain('It is wrong. Mend it.');
  });

  it('are reset by an edit', async () => {
    const { box, apply } = await show({ values: { title: 'Mine' } });
    await fire(named(box, 'Reset Title to its default'), 'click');
    expect(apply.mock.calls).toEqual([[[{ kind: 'configure', id: 'A', values: {}, unset: ['title'] }]]]);
  });
});

it('shows the result of its last run', async () => {
  const run = {
    status: 'completed',
    nodes: { A: { status: 'done', rounds: 1, text: '', outputs: { out: 'Result!' } } },
  };
  expect((await show({}, {}, run)).box.textContent).toContain('Result!');
});

it('cannot be changed where the flow is read-only', async () => {
  const { box } = await show({ values: { title: 'Mine' } }, { isReadOnly: true });
  const fields = [...box.querySelectorAll('input')];
  expect(fields.length).toBeGreaterThan(1);
  expect(fields.filter((each) => !each.disabled)).toEqual([]);
  expect(box.querySelector('button[aria-label^=Reset]')).toBeNull();
});

it('shows problems that are not about a field, and not those of others', async () => {
  const { box } = await show(
    {},
    {
      findings: [
        finding({}),
        finding({ field: 'gone', message: 'It is old.', severity: 'warning' }),
        finding({ node: 'B', message: 'Not here.' }),
      ],
    },
  );
  expect(box.textContent).toContain('It is wrong. Mend it.It is old. Mend it.');
  const notes = [...box.querySelectorAll('section > div')].filter(({ textContent }) => textContent.startsWith('It is'));
  expect(notes.map((each) => [/text-(bad|warn)/.exec(each.outerHTML)?.[1], outline(each)[1]])).toEqual([
    ['bad', 'icon circle-exclamation-point 16'],
    ['warn', 'icon circle-exclamation-point 16'],
  ]);
  expect(box.textContent).not.toContain('Not here.');
  const ofField = await show({}, { findings: [finding({ field: 'title' })] });
  expect(ofField.box.textContent.split('It is wrong.')).toHaveLength(2);
});
