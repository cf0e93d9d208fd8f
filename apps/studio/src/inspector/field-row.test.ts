import type { Field } from '@croft/flow';
import { createElement } from 'react';
import { describe, expect, it, vi } from 'vitest';
import type { Finding } from '../api/flows.ts';
import { nodeOf } from '../canvas/testing-nodes.ts';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { FieldRow } from './field-row.tsx';
import type { NodeField } from './node-fields.ts';

useFakeApi();
const page = usePage();
const FIELD: Field = { name: 'size', label: 'Size', kind: 'integer', help: 'How many.', min: 1 };
const finding = (code: Finding['code']): Finding => ({
  severity: 'error',
  code,
  node: 'A',
  field: 'size',
  message: 'Size is wrong.',
  fix: 'Change it.',
});

async function show(more: object = {}, given: Partial<NodeField> = {}, field: Partial<Field> = {}) {
  const [onValue, onReset, onShow] = [vi.fn(), vi.fn(), vi.fn()];
  const nodeField = {
    field: { ...FIELD, ...field },
    value: 3,
    isOwn: false,
    isRequired: false,
    sources: [],
    variables: [],
    ...given,
  };
  const props = {
    flowId: 'f1',
    node: nodeOf('A'),
    nodeField,
    finding: undefined,
    failure: undefined,
    mcp: undefined,
    isReadOnly: false,
    titleOf: ({ node, port }: { node: string; port: string }) => `${node} · ${port}`,
    onValue,
    onReset,
    onShow,
    ...more,
  };
  const box = await page.show(
    inClient(testClient())(createElement(FieldRow, props as unknown as Parameters<typeof FieldRow>[0])),
  );
  return {
    box,
    onValue,
    onReset,
    onShow,
    error: () => box.querySelector('[role=alert], .text-bad')?.textContent ?? '',
  };
}

describe('a field', () => {
  it('has its label, help and control', async () => {
    const { box, error } = await show({}, { isRequired: true });
    await expect
      .poll(() => outline(box))
      .toEqual([
        'div[data-field=size]',
        'label[for=#1] Size',
        'span (required)',
        'input#1[type=number][inputMode=numeric][step=1][min=1][aria-describedby=#1-hint][value=3]',
        'p#1-hint How many.',
        'p#1-error[role=alert]',
      ]);
    expect(box.firstElementChild?.getAttribute('data-field')).toBe('size');
    expect(box.querySelector('label')?.textContent).toBe('Size (required)');
    expect(box.textContent).toContain('How many.');
    expect([box.querySelector('input')?.value, box.querySelector('input')?.disabled, error()]).toEqual([
      '3',
      false,
      '',
    ]);
    expect((await show({ isReadOnly: true })).box.querySelector('input')?.disabled).toBe(true);
    expect((await show()).box.querySelector('label')?.textContent).toBe('Size');
  });

  it.each<[string, unknown, Finding | undefined]>([
    ['A value is needed.', null, finding('missing_value')],
    ['Size is wrong. Change it.', 3, finding('type_mismatch')],
    ['The value must be at least 1.', 0, finding('wrong_value')],
  ])('says: %s', async (expected, value, found) => {
    const { error } = await show({ finding: found }, { value: value as never });
    expect(error()).toBe(expected);
  });

  it('accepts a missing value', async () => {
    expect((await show({}, { value: '' })).error()).toBe('');
  });

  it('of code has the problems of its finding and its run', async () => {
    const { box, error } = await show(
      { finding: finding('wrong_value'), failure: 'Broke in line 3' },
      { value: 'x' },
      { kind: 'code', name: 'code' },
    );
    // The editor loads by itself.
    await vi.waitFor(() => expect(box.querySelector('output')?.textContent.split('\n')).toHaveLength(2));
    await expect
      .poll(() => outline(box))
      .toEqual([
        'div[data-field=code]',
        'label[for=#1] Size',
        'input[type=text][data-types=false][data-tall=false][aria-label=Size][value=x]',
        'output 0: Size is wrong.\\n0: Broke in line 3',
        'button[type=button]',
        'span Edit in a large window',
        'icon maximize-2 14',
        'p#1-hint How many.',
        'p#1-error[role=alert]',
      ]);
    expect(error()).toBe('');
    expect(box.textContent).toContain('Broke in line 3');
  });
});

describe('a field with another source', () => {
  it('leads to what is connected, and has no control', async () => {
    const { box, onShow } = await show({}, { sources: [{ node: 'B', port: 'out' }] });
    await expect
      .poll(() => outline(box))
      .toEqual([
        'div[data-field=size]',
        'p Size',
        'button[type=button]',
        'icon link-2 14',
        'span B · out',
        'span Connected with',
      ]);
    expect([box.querySelector('input'), box.querySelector('p')?.textContent]).toEqual([null, 'Size']);
    await fire(named(box, 'Connected with B · out'), 'click');
    expect(onShow.mock.calls).toEqual([['B']]);
  });

  it('is filled in by an agent', async () => {
    const text = 'An agent fills this in when it uses the tool.';
    const node = { ...nodeOf('A'), toolMode: true };
    const shown = async (more: object, given: Partial<NodeField> = {}, field: Partial<Field> = {}) =>
      (await show(more, given, field)).box.textContent.includes(text);
    expect(await shown({ node }, {}, { toolParameter: true })).toBe(true);
    expect(await shown({ node }, { sources: [{ node: 'B', port: 'out' }] }, { toolParameter: true })).toBe(false);
    expect(await shown({ node })).toBe(false);
    expect(await shown({}, {}, { toolParameter: true })).toBe(false);
  });

  it('has the inputs of its text', async () => {
    const { box, onShow } = await show(
      {},
      {
        variables: [
          { name: 'who', sources: [] },
          { name: 'city', sources: [{ node: 'B', port: 'out' }] },
        ],
      },
    );
    const list = box.querySelector('[aria-label="Inputs in the text"]');
    expect([...(list?.querySelectorAll('li') ?? [])].map((each) => each.textContent)).toEqual([
      '{who}not connected: stays as it is written',
      '{city}Connected with B · out',
    ]);
    await fire(named(box, 'Connected with B · out'), 'click');
    expect(onShow.mock.calls).toEqual([['B']]);
    expect((await show()).box.querySelector('ul')).toBeNull();
  });
});

describe('a field of an MCP server', () => {
  it('has a control that knows the server', async () => {
    const shown = async (name: string, mcp: object | undefined) =>
      (await show({ mcp }, { value: 'x' }, { name, kind: 'text' })).box.innerHTML;
    const mcp = { tools: [], state: 'idle', refresh: () => undefined };
    for (const name of ['command', 'tool']) {
      expect(await shown(name, mcp)).not.toBe(await shown(name, undefined));
      expect(await shown(name, mcp)).not.toBe(await shown('other', mcp));
    }
  });
});

describe('the way back to the default', () => {
  it('is there for an own value', async () => {
    const { box, onReset } = await show({}, { isOwn: true });
    const button = named(box, 'Reset Size to its default');
    expect(button.getAttribute('title')).toBe('Clear');
    await fire(button, 'click');
    expect(onReset).toHaveBeenCalledOnce();
    const withDefault = await show({}, { isOwn: true }, { default: 2 });
    expect(named(withDefault.box, 'Reset Size to its default').getAttribute('title')).toBe('Reset to default');
  });

  it('is not there otherwise', async () => {
    for (const { box } of [await show(), await show({ isReadOnly: true }, { isOwn: true })])
      expect(box.querySelector('button[aria-label^=Reset]')).toBeNull();
  });
});

it('keeps a JSON text with an error for its flow, component and field', async () => {
  const field = async (more: object = {}, name = 'body') => {
    const { box } = await show(more, { value: 1 }, { name, kind: 'json' });
    await vi.waitFor(() => expect(box.querySelector('input')).not.toBeNull());
    return box.querySelector('input') as HTMLInputElement;
  };
  const written = await field();
  await type(written, '{');
  await fire(written, 'focusout');
  expect((await field({ node: nodeOf('B') })).value).toBe('1');
  expect((await field({ flowId: 'f2' })).value).toBe('1');
  expect((await field({}, 'head')).value).toBe('1');
  expect((await field()).value).toBe('{');
});
