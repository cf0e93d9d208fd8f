import type { Field, Json } from '@croft/flow';
import { createElement, createRef } from 'react';
import { expect, it, vi } from 'vitest';
import { memoryStorage } from '../assistant/fake-assistant-server.ts';
import { outline } from '../testing/outline.ts';
import { check, choose, fire, named, type, usePage } from '../testing/page.ts';
import { inClient, signedInClient, testClient } from '../testing/queries.ts';
import { fieldKey, type FormValues, type RunField } from './run-fields.ts';
import { RunForm } from './run-form.tsx';

const page = usePage();
const field = (name: string, kind: Field['kind'], more: Partial<Field> = {}, value: Json = null): RunField => ({
  node: 'n',
  field: { name, label: name, kind, ...more } as Field,
  value,
});

async function show(
  fields: readonly RunField[],
  { isUnderWay = false, isBeginning = false, isBlocked = false, client = testClient() } = {},
) {
  const runs: FormValues[] = [];
  let stops = 0;
  const props = {
    flowId: 'f1',
    fields,
    isUnderWay,
    isBeginning,
    isBlocked,
    onRun: (values: FormValues) => void runs.push(values),
    onStop: () => void (stops += 1),
  };
  const box = await page.show(inClient(client)(createElement(RunForm, props)));
  const form = box.querySelector('form') as HTMLFormElement;
  const submit = () => fire(form, 'submit');
  let checks = 0;
  Object.assign(form, { requestSubmit: () => void (checks += 1) });
  const enter = (more: object) => fire(form, 'keydown', { key: 'Enter', ctrlKey: false, metaKey: false, ...more });
  return { box, runs, submit, enter, stops: () => stops, checks: () => checks };
}

it('runs with the values that the person changed, by their kinds', async () => {
  const fields = [
    field('text', 'text', {}, 'old'),
    field('more', 'multiline'),
    field('on', 'switch', {}, false),
    field('pick', 'select', { options: ['a', 'b'] }, 'a'),
    field('untouched', 'text', {}, 'same'),
  ];
  const { box, runs, submit } = await show(fields);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'label[for=#1] text',
      'input#1[value=old]',
      'p#1-error[role=alert]',
      'label[for=#2] more',
      'textarea#2[rows=3]',
      'p#2-error[role=alert]',
      'label[for=#3] on',
      'input#3[type=checkbox]',
      'p#3-error[role=alert]',
      'label[for=#4] pick',
      'select#4[value=a]',
      'option[selected] a',
      'option b',
      'p#4-error[role=alert]',
      'label[for=#5] untouched',
      'input#5[value=same]',
      'p#5-error[role=alert]',
      'button[type=submit]',
      'span Run',
      'icon play 16',
    ]);
  const inputs = [...box.querySelectorAll('input')] as HTMLInputElement[];
  expect(inputs[0]?.getAttribute('value')).toBe('old');
  await type(inputs[0] as Element, 'new');
  await type(box.querySelector('textarea') as Element, 'lines');
  await check(inputs[1] as Element);
  await choose(box.querySelector('select') as Element, 'b');
  await submit();
  const key = (at: number) => fieldKey(fields[at] as RunField);
  expect(runs).toEqual([{ [key(0)]: 'new', [key(1)]: 'lines', [key(2)]: true, [key(3)]: 'b' }]);
});

it('keeps what the person changed for the next visit', async () => {
  vi.stubGlobal('sessionStorage', memoryStorage());
  const client = signedInClient();
  const fields = [field('text', 'text', {}, 'old'), field('other', 'text', {}, 'same')];
  const first = await show(fields, { client });
  await type(first.box.querySelector('input') as Element, 'new');
  const next = await show(fields, { client });
  expect([...next.box.querySelectorAll('input')].map(({ value }) => value)).toEqual(['new', 'same']);
});

it('chooses no option of a select that has no value, and requires a choice', async () => {
  const fields = [
    field('Operation', 'select', { options: ['Keep lines', 'Join'], required: true }),
    field('Mode', 'select', { options: ['a', 'b'] }, 'b'),
    field('Unit', 'select', { options: ['', 'km'] }, ''),
  ];
  const { box, runs, submit } = await show(fields);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'label[for=#1] Operation',
      'select#1[required]',
      'option[selected] Choose…',
      'option Keep lines',
      'option Join',
      'p#1-error[role=alert]',
      'label[for=#2] Mode',
      'select#2[value=b]',
      'option a',
      'option[selected] b',
      'p#2-error[role=alert]',
      'label[for=#3] Unit',
      'select#3',
      'option[selected] None',
      'option km',
      'p#3-error[role=alert]',
      'button[type=submit]',
      'span Run',
      'icon play 16',
    ]);
  await choose(box.querySelector('select') as Element, 'Keep lines');
  await submit();
  expect(runs).toEqual([{ [fieldKey(fields[0] as RunField)]: 'Keep lines' }]);
});

it('reads a number, and none from an empty field', async () => {
  const number = field('n', 'number', { min: 1, step: 0.5 }, 3);
  const { box, runs, submit } = await show([number, field('i', 'integer', { step: 0.5 }, 1)]);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'label[for=#1] n',
      'input#1[type=number][step=0.5][min=1][value=3]',
      'p#1-error[role=alert]',
      'label[for=#2] i',
      'input#2[type=number][step=1][value=1]',
      'p#2-error[role=alert]',
      'button[type=submit]',
      'span Run',
      'icon play 16',
    ]);
  const [first, second] = [...box.querySelectorAll('input')] as [HTMLInputElement, HTMLInputElement];
  expect([first.getAttribute('step'), second.getAttribute('step'), first.getAttribute('min')]).toEqual([
    '0.5',
    '1',
    '1',
  ]);
  Object.defineProperty(first, 'valueAsNumber', { value: 4.5 });
  await type(first, '4.5');
  await submit();
  await type(first, '');
  await submit();
  expect(runs).toEqual([{ [fieldKey(number)]: 4.5 }, { [fieldKey(number)]: null }]);
});

it('submits by Ctrl+Enter and Meta+Enter, which checks the fields, and by no other key', async () => {
  const { enter, checks } = await show([]);
  await enter({});
  await enter({ key: 'a', ctrlKey: true });
  expect(checks()).toBe(0);
  await enter({ ctrlKey: true });
  await enter({ metaKey: true });
  expect(checks()).toBe(2);
});

it('starts no run while one is under way or something prevents it', async () => {
  const running = await show([], { isUnderWay: true });
  const blocked = await show([], { isBlocked: true });
  for (const each of [running, blocked]) {
    await each.submit();
    expect(each.runs).toEqual([]);
  }
  expect(named(blocked.box, 'Run').hasAttribute('disabled')).toBe(true);
  await fire(named(running.box, 'Stop'), 'click');
  expect(running.stops()).toBe(1);
});

it('names the component where fields of several are shown', async () => {
  const { box } = await show([{ ...field('URL', 'text'), group: 'Call' }, field('Text', 'text')]);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'label[for=#1] Call: URL',
      'input#1',
      'p#1-error[role=alert]',
      'label[for=#2] Text',
      'input#2',
      'p#2-error[role=alert]',
      'button[type=submit]',
      'span Run',
      'icon play 16',
    ]);
  expect([...box.querySelectorAll('label')].map(({ textContent }) => textContent)).toEqual(['Call: URL', 'Text']);
});

it('gives its form to the page, and explains only fields of files', async () => {
  const form = createRef<HTMLFormElement>();
  const fields = [field('doc', 'file', { help: 'One file.' }), field('text', 'text', { help: 'One line.' })];
  const nothing = () => undefined;
  const props = {
    flowId: 'f1',
    form,
    fields,
    isUnderWay: false,
    isBeginning: false,
    isBlocked: false,
    onRun: nothing,
    onStop: nothing,
  };
  const box = await page.show(inClient(testClient())(createElement(RunForm, props)));
  expect(form.current).toBe(box.querySelector('form'));
  expect([box.textContent.includes('One file.'), box.textContent.includes('One line.')]).toEqual([true, false]);
});

it('is busy while a run begins, which cannot be stopped yet', async () => {
  const { box, runs, submit } = await show([], { isUnderWay: true, isBeginning: true });
  await submit();
  expect([box.querySelectorAll('button').length, box.querySelector('button')?.getAttribute('aria-busy'), runs]).toEqual(
    [1, 'true', []],
  );
  expect(box.textContent).toContain('Run');
});
