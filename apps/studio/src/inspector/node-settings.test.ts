import type { Descriptor, FlowNode } from '@croft/flow';
import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { choose, fire, type, usePage } from '../testing/page.ts';
import { NodeSettings } from './node-settings.tsx';

const page = usePage();
const AS_TOOL = [
  'label[for=#1]',
  'span Use as a tool',
  'span An agent calls it. Connect its output “Toolset” with the agent.',
];

it('says how long the results of a frozen component are kept', async () => {
  const descriptor = {
    type: 'T',
    label: 'T',
    description: '',
    category: 'text',
    icon: 'text',
    version: 1,
    effects: [],
    fields: [],
    outputs: [],
  } as const;
  const node = { id: 'N', type: 'T', position: { x: 0, y: 0 }, values: {} };
  const { textContent } = await page.show(
    createElement(NodeSettings, { node, entry: { descriptor }, isReadOnly: false, onEdit: () => undefined }),
  );
  expect(textContent).toContain('also after a restart');
  expect(textContent).toContain('as long as the history of runs, by default for 30 days');
});

const descriptorOf = (more: Partial<Descriptor> = {}): Descriptor => ({
  type: 'T',
  label: 'T',
  description: '',
  category: 'text',
  effects: [],
  fields: [],
  outputs: [],
  ...more,
});
const node: FlowNode = { id: 'N', type: 'T', position: { x: 0, y: 0 }, values: {} };
const two = [
  { name: 'a', label: 'A', types: ['Message'] },
  { name: 'b', label: 'B', types: ['Data'] },
] as Descriptor['outputs'];

async function show(own: Partial<FlowNode> = {}, more: Partial<Descriptor> = {}, isReadOnly = false) {
  const onEdit = vi.fn();
  const entry = { descriptor: descriptorOf(more) };
  const box = await page.show(createElement(NodeSettings, { node: { ...node, ...own }, entry, isReadOnly, onEdit }));
  return { box, onEdit };
}

/** The controls of a box by their labels. */
const controlOf = (box: Element, text: string) => {
  const label = [...box.querySelectorAll('label')].find((each) => each.textContent.startsWith(text));
  return box.querySelector(`[id="${label?.getAttribute('for')}"]`) as HTMLElement;
};

it('shows the options of a run', async () => {
  const { box } = await show(
    { run: { retry: { attempts: 2, delayMs: 1_500 }, timeoutMs: 2_500, onError: 'port', frozen: true } },
    { outputs: two, tool: true },
  );
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...AS_TOOL,
      'button#1[data-state=unchecked][aria-checked=false][role=switch][type=button]',
      'span[data-state=unchecked]',
      'label[for=#2] Output',
      'select#2[aria-describedby=#2-hint]',
      'option[selected] Those that are connected',
      'option A',
      'option B',
      'p#2-hint The run computes this output, and others that are connected.',
      'p#2-error[role=alert]',
      'label[for=#3]',
      'span Freeze',
      'span Runs give its last result again while its inputs and fields are the same, also after a restart. A result that no run uses is kept as long as the history of runs, by default for 30 days.',
      'button#3[data-state=checked][aria-checked=true][role=switch][type=button]',
      'span[data-state=checked]',
      'label[for=#4] After an error',
      'select#4[value=port]',
      'option Stop the run',
      'option Go on without what depends on it',
      'option[selected] Send the error to an output “Error”',
      'p#4-error[role=alert]',
      'label[for=#5] Retries',
      'input#5[type=number][placeholder=0][step=any][max=10][min=0][value=2]',
      'p#5-error[role=alert]',
      'label[for=#6] Timeout, seconds',
      'input#6[type=number][placeholder=none][step=any][max=86400][min=0][value=2.5]',
      'p#6-error[role=alert]',
      'label[for=#7] Seconds before each retry',
      'input#7[type=number][placeholder=0][step=any][max=600][min=0][value=1.5]',
      'p#7-error[role=alert]',
    ]);
});

it('shows no outputs and no freezing of a tool, and changes nothing of a read-only flow', async () => {
  const { box } = await show({ toolMode: true }, { outputs: two }, true);
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...AS_TOOL,
      'button#1[disabled][data-disabled][data-state=checked][aria-checked=true][role=switch][type=button]',
      'span[data-disabled][data-state=checked]',
      'label[for=#2] After an error',
      'select#2[disabled][value=stop]',
      'option[selected] Stop the run',
      'option Go on without what depends on it',
      'option Send the error to an output “Error”',
      'p#2-error[role=alert]',
      'label[for=#3] Retries',
      'input#3[type=number][disabled][placeholder=0][step=any][max=10][min=0]',
      'p#3-error[role=alert]',
      'label[for=#4] Timeout, seconds',
      'input#4[type=number][disabled][placeholder=none][step=any][max=86400][min=0]',
      'p#4-error[role=alert]',
    ]);
});

it('offers no choice of outputs that are branches or a loop, or of one', async () => {
  for (const outputs of [
    two.slice(0, 1),
    two.map((each) => ({ ...each, branch: true })),
    two.map((each) => ({ ...each, loop: true })),
  ])
    expect((await show({}, { outputs })).box.textContent).not.toContain('Those that are connected');
});

it('edits the tool mode, the output and the options of a run', async () => {
  const { box, onEdit } = await show({ selectedOutput: 'a' }, { outputs: two, tool: true });
  await fire(controlOf(box, 'Use as a tool'), 'click');
  await choose(controlOf(box, 'Output'), 'b');
  await choose(controlOf(box, 'Output'), '');
  await fire(controlOf(box, 'Freeze'), 'click');
  await choose(controlOf(box, 'After an error'), 'continue');
  await choose(controlOf(box, 'After an error'), 'stop');
  expect(onEdit.mock.calls.flat()).toEqual([
    { kind: 'enable_tool_mode', id: 'N', enabled: true },
    { kind: 'select_output', id: 'N', output: 'b' },
    { kind: 'select_output', id: 'N', output: null },
    { kind: 'set_run_options', id: 'N', run: { frozen: true } },
    { kind: 'set_run_options', id: 'N', run: { onError: 'continue' } },
  ]);
});

it.each([
  ['Retries', '3', { retry: { attempts: 3, delayMs: 1_000 } }],
  ['Retries', '11', { retry: { attempts: 10, delayMs: 1_000 } }],
  ['Timeout', '1.5', { timeoutMs: 1_500 }],
  ['Timeout', '0.5', { timeoutMs: 500 }],
  ['Timeout', '90000', { timeoutMs: 86_400_000 }],
])('takes for %s the number %s', async (label, text, run) => {
  const { box, onEdit } = await show();
  await type(controlOf(box, label), text);
  await fire(controlOf(box, label), 'focusout');
  expect(onEdit.mock.calls).toEqual([[{ kind: 'set_run_options', id: 'N', run }]]);
});

it.each([
  ['Retries', ' ', null],
  ['Retries', '0', null],
  ['Retries', '-1', null],
  ['Retries', '4', { retry: { attempts: 4, delayMs: 500 } }],
  ['Seconds before each retry', '2.5', { retry: { attempts: 2, delayMs: 2_500 } }],
  ['Seconds before each retry', '601', { retry: { attempts: 2, delayMs: 600_000 } }],
  ['Seconds before each retry', '', { retry: { attempts: 2, delayMs: 0 } }],
])('changes retries: %s %j', async (label, text, run) => {
  const { box, onEdit } = await show({ run: { retry: { attempts: 2, delayMs: 500 } } });
  await type(controlOf(box, label), text);
  await fire(controlOf(box, label), 'focusout');
  expect(onEdit.mock.calls).toEqual([[{ kind: 'set_run_options', id: 'N', run }]]);
});
