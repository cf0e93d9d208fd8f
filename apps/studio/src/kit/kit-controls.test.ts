import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { check, fire, named, usePage } from '../testing/page.ts';
import { ButtonStates, ChoiceStates, FieldStates } from './kit-controls.tsx';

const page = usePage();
const BUTTONS = [
  'button[type=button]',
  'span Rest',
  'button[data-show=hover][type=button]',
  'span Hovered',
  'button[data-show=focus][type=button]',
  'span Focused',
  'button[aria-busy=true][aria-disabled=true][type=button]',
  'span[aria-hidden=true]',
  'span Working',
  'span Working',
  'button[disabled][type=button]',
  'span Disabled',
  'button[type=button]',
  'span Small',
  'icon plus 15',
];
const TICK = ['icon check 14', 'icon minus 14'];
const rows = (box: Element) => [...box.querySelectorAll('button')].map((each) => each.textContent.trim());

it('has each button at rest, hovered, focused, working, disabled and small', async () => {
  const box = await page.show(createElement(ButtonStates));
  const states = [
    'Rest',
    'Hovered',
    'Focused', // With the words for screen readers.
    'WorkingWorking',
    'Disabled',
    'Small',
  ];
  expect(rows(box).slice(0, 24)).toEqual([...states, ...states, ...states, ...states]);
  const lines = outline(box);
  const looks = ['primary', 'plain', 'quiet', 'danger'];
  expect(lines.slice(0, lines.indexOf('h3 icon'))).toEqual(looks.flatMap((look) => [`h3 ${look}`, ...BUTTONS]));
  expect(lines.slice(lines.indexOf('h3 icon'))).toEqual([
    'h3 icon',
    'button[title=More][aria-label=More][type=button]',
    'icon ellipsis 18',
    'button[data-show=hover][title=More, hovered][aria-label=More, hovered][type=button]',
    'icon ellipsis 18',
    'button[data-show=focus][title=More, focused][aria-label=More, focused][type=button]',
    'icon ellipsis 18',
    'button[disabled][title=More, disabled][aria-label=More, disabled][type=button]',
    'icon ellipsis 18',
    'h3 copy',
    'button[aria-live=polite][type=button]',
    'span Copy',
    'icon copy 16',
    'h3 command',
    'pre[role=group][aria-label=A command]',
    'code npx -y --fetch-retries=0 http://localhost:7860/dl/croft.tgz connect',
    'span[aria-hidden=true] $',
    'button[aria-live=polite][type=button]',
    'span Copy',
    'icon copy 16',
    'h3 key',
    'kbd /',
    'kbd Ctrl',
    'kbd F2',
  ]);
});

it('has each field empty, filled, wrong, focused and disabled', async () => {
  const box = await page.show(createElement(FieldStates));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'label[for=#1] Empty',
      'input#1[placeholder=Placeholder]',
      'p#1-error[role=alert]',
      'label[for=#2] Filled',
      'input#2[aria-describedby=#2-hint][value=report.md]',
      'p#2-hint A hint says what is wanted.',
      'p#2-error[role=alert]',
      'label[for=#3] Wrong',
      'input#3[aria-invalid=true][aria-describedby=#3-error][value=a/b]',
      'p#3-error[role=alert] A name cannot contain a slash.',
      'label[for=#4] Focused',
      'input#4[data-show=focus][value=report.md]',
      'p#4-error[role=alert]',
      'label[for=#5] Disabled',
      'input#5[disabled][value=report.md]',
      'p#5-error[role=alert]',
      'label[for=#6] Select',
      'select#6[value=user]',
      'option[selected] User',
      'option Administrator',
      'p#6-error[role=alert]',
    ]);
});

it('has choices that can be changed, unless they are disabled', async () => {
  const box = await page.show(createElement(ChoiceStates));
  const isOn = (name: string) => named(box, name).getAttribute('aria-checked');
  const isTicked = (name: string) => (named(box, name) as HTMLInputElement).checked;
  const lines = outline(box);
  expect(lines.slice(0, lines.indexOf('h3 tabs'))).toEqual([
    'h3 switch',
    'button[aria-label=On][data-state=checked][aria-checked=true][role=switch][type=button]',
    'span[data-state=checked]',
    'button[aria-label=Off][data-state=unchecked][aria-checked=false][role=switch][type=button]',
    'span[data-state=unchecked]',
    'button[data-show=focus][aria-label=Focused][data-state=checked][aria-checked=true][role=switch][type=button]',
    'span[data-state=checked]',
    'button[aria-label=On and disabled][disabled][data-disabled][data-state=checked][aria-checked=true][role=switch][type=button]',
    'span[data-disabled][data-state=checked]',
    'button[aria-label=Off and disabled][disabled][data-disabled][data-state=unchecked][aria-checked=false][role=switch][type=button]',
    'span[data-disabled][data-state=unchecked]',
    'h3 checkbox',
    'input[type=checkbox][aria-label=Ticked][checked]',
    ...TICK,
    'input[type=checkbox][aria-label=Empty]',
    ...TICK,
    'input[type=checkbox][aria-label=In part]',
    ...TICK,
    'input[type=checkbox][data-show=focus][aria-label=Focused]',
    ...TICK,
    'input[type=checkbox][disabled][aria-label=Disabled][checked]',
    ...TICK,
    'h3 segmented',
    'legend One of two',
    'label Names',
    'input[name=#1][type=radio][checked]',
    'label Contents',
    'input[name=#1][type=radio]',
    'fieldset[disabled]',
    'legend One of two, disabled',
    'label Names',
    'input[name=#2][type=radio][checked]',
    'label Contents',
    'input[name=#2][type=radio]',
  ]);
  const tab = ({ textContent, dataset }: HTMLElement) => `${textContent} ${dataset['state']} ${dataset['disabled']}`;
  expect([...box.querySelectorAll<HTMLElement>('[aria-label=View] [role=tab], [role=tabpanel]')].map(tab)).toEqual([
    'Read active undefined',
    'Source inactive undefined',
    'Disabled inactive ',
    'As it is read. active undefined',
    ' inactive undefined',
  ]);
  await fire(named(box, 'On'), 'click');
  await check(named(box, 'Ticked'));
  await check(box.querySelectorAll('[type=radio]')[1] as Element);
  const radios = () => [...box.querySelectorAll<HTMLInputElement>('[type=radio]')].map(({ checked }) => checked);
  expect([isOn('On'), isTicked('Ticked'), radios()]).toEqual(['false', false, [false, true, true, false]]);
});
