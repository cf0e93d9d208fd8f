import { createElement } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { NO_RUN } from '../canvas/run-state.ts';
import { createRunStore, RunStoreContext } from '../canvas/run-store.ts';
import { nodeOf } from '../canvas/testing-nodes.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { PinnedOutputs } from './pinned-outputs.tsx';

const page = usePage();
const OUTPUTS = [
  { name: 'out', label: 'Result', types: ['Any'] },
  { name: 'more', label: 'More', types: ['Any'] },
] as const;

async function show(pinned?: object, last?: object, more: object = {}, status = 'done') {
  const onEdit = vi.fn();
  const store = createRunStore();
  store.set({ ...NO_RUN, nodes: last ? { A: { status, rounds: 1, text: '', outputs: last } as never } : {} });
  const props = { node: { ...nodeOf('A'), pinned }, outputs: OUTPUTS, isReadOnly: false, onEdit, ...more };
  const element = createElement(PinnedOutputs, props as unknown as Parameters<typeof PinnedOutputs>[0]);
  const box = await page.show(createElement(RunStoreContext, { value: store }, element));
  const [first, second] = [...box.querySelectorAll<HTMLElement>('li')] as unknown as [HTMLElement, HTMLElement];
  const buttons = (row: Element) => [...row.querySelectorAll('button')].map((each) => each.textContent.trim());
  const area = () => document.querySelector('textarea') as HTMLTextAreaElement;
  // linkedom does not read the first value of a textarea.
  const written = () => area().defaultValue;
  return { box, onEdit, first, second, buttons, area, written };
}
const pin = (output: string, value?: unknown) => ({
  kind: 'pin_output',
  id: 'A',
  output,
  ...(value !== undefined && { value }),
});

describe('the outputs of a node', () => {
  it('are not fixed, and can be written', async () => {
    const { box, first, second, buttons } = await show();
    await expect
      .poll(() => outline(box))
      .toEqual([
        'section[aria-label=Fixed outputs]',
        'h3 Fixed outputs',
        'p A run uses a fixed value and does not start the component, for example while you work on what follows.',
        'p Result',
        'button[type=button]',
        'span Write a value',
        'p More',
        'button[type=button]',
        'span Write a value',
      ]);
    expect(box.querySelector('section')?.getAttribute('aria-label')).toBe('Fixed outputs');
    expect([first.querySelector('p')?.textContent, buttons(first), buttons(second)]).toEqual([
      'Result',
      ['Write a value'],
      ['Write a value'],
    ]);
  });

  it('are fixed, and can be edited and computed again', async () => {
    const { first, buttons, onEdit } = await show({ out: { a: 1 } });
    expect([...first.querySelectorAll('p')].map((each) => each.textContent)).toEqual(['Resultfixed', '{"a":1}']);
    expect(buttons(first)).toEqual(['Edit', 'Compute again']);
    await fire(named(first, 'Compute again'), 'click');
    expect(onEdit.mock.calls).toEqual([[pin('out')]]);
  });

  it('show at most 600 characters of a text', async () => {
    const { first } = await show({ out: 'x'.repeat(700) });
    expect(first.querySelectorAll('p')[1]?.textContent).toBe('x'.repeat(600));
  });

  it('have no buttons where the flow is read-only', async () => {
    const { first, buttons } = await show({ out: 1 }, { out: 2 }, { isReadOnly: true });
    expect(buttons(first)).toEqual([]);
  });
});

describe('the last value', () => {
  it('is fixed at once where it is whole', async () => {
    const { first, second, buttons, onEdit } = await show({}, { out: 'ok', more: null });
    expect([buttons(first), buttons(second)]).toEqual([['Fix the last value', 'Write a value'], ['Write a value']]);
    await fire(named(first, 'Fix the last value'), 'click');
    expect(onEdit.mock.calls).toEqual([[pin('out', 'ok')]]);
  });

  it('is completed first where the page has a shortened copy', async () => {
    const { first, onEdit, written } = await show({}, { out: ['a', '(3 more items)'] });
    await fire(named(first, 'Fix the last value'), 'click');
    expect(onEdit).not.toHaveBeenCalled();
    expect(written()).toBe('[\n  "a",\n  "(3 more items)"\n]');
    expect(document.body.textContent).toContain('The page has only a shortened copy of the last value.');
  });

  it('is not that of a failed run', async () => {
    const { first, buttons } = await show({}, { out: 'ok' }, {}, 'failed');
    expect(buttons(first)).toEqual(['Write a value']);
  });
});

describe('a value that is written', () => {
  it('begins with the fixed one, else with the last one', async () => {
    const fixed = await show({ out: [1] }, { out: [2], more: [3] });
    await fire(named(fixed.first, 'Edit'), 'click');
    expect(fixed.written()).toBe('[\n  1\n]');
    expect(document.querySelector('dialog')?.textContent).toMatch(
      /^Fix the output “Result”.*Value, as JSON.*A text is written in quotes\. A message is \{"text": "…"\}\./,
    );
    expect(document.body.textContent).not.toContain('shortened copy');
    await fire(named(document.body, 'Cancel'), 'click');
    await fire(named(fixed.second, 'Write a value'), 'click');
    expect(fixed.written()).toBe('[\n  3\n]');
  });

  it('is fixed where it is JSON, and says what is wrong otherwise', async () => {
    const { first, onEdit, area, written } = await show();
    await fire(named(first, 'Write a value'), 'click');
    expect(written()).toBe('');
    await type(area(), '{"a": }');
    await fire(named(document.body, 'Fix the value'), 'click');
    expect(document.body.textContent).toContain('Line 1 is not valid JSON.');
    await type(area(), '{"a": 1}');
    expect(document.body.textContent).not.toContain('Line 1 is not valid JSON.');
    await fire(named(document.body, 'Fix the value'), 'click');
    expect([onEdit.mock.calls, document.querySelector('dialog')]).toEqual([[[pin('out', { a: 1 })]], null]);
  });

  it('is dropped by Cancel', async () => {
    const { first, onEdit } = await show();
    await fire(named(first, 'Write a value'), 'click');
    await fire(named(document.body, 'Cancel'), 'click');
    expect([onEdit.mock.calls, document.querySelector('dialog')]).toEqual([[], null]);
  });

  it('asks before Escape drops what was typed', async () => {
    const { first } = await show();
    await fire(named(first, 'Write a value'), 'click');
    await type(document.querySelector('dialog textarea') as Element, '1');
    await fire(document.querySelector('dialog') as Element, 'cancel');
    expect((await fire(window, 'beforeunload')).defaultPrevented).toBe(true);
    await fire(named(document.body, 'Discard changes'), 'click');
    expect(document.querySelector('dialog')).toBeNull();
  });
});
