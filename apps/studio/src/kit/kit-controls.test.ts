import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { check, fire, named, usePage } from '../testing/page.ts';
import { ButtonStates, ChoiceStates, FieldStates } from './kit-controls.tsx';

const page = usePage();
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
  expect([...box.querySelectorAll('[data-show]')].map((each) => each.getAttribute('data-show'))).toEqual(
    Array.from({ length: 5 }, () => ['hover', 'focus']).flat(),
  );
  expect(box.querySelectorAll('button[disabled]').length).toBe(5);
  expect([...box.querySelectorAll('kbd')].map((each) => each.textContent)).toEqual(['/', 'Ctrl', 'F2']);
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
  expect([...box.querySelectorAll('label')].map((each) => each.textContent)).toEqual([
    'Empty',
    'Filled',
    'Wrong',
    'Focused',
    'Disabled',
    'Select',
  ]);
  expect(box.querySelector('[aria-invalid=true]')?.getAttribute('value')).toBe('a/b');
  expect(box.textContent).toContain('A name cannot contain a slash.');
  expect([...box.querySelectorAll('option')].map((each) => each.textContent)).toEqual(['User', 'Administrator']);
});

it('has choices that can be changed, unless they are disabled', async () => {
  const box = await page.show(createElement(ChoiceStates));
  const isOn = (name: string) => named(box, name).getAttribute('aria-checked');
  const isTicked = (name: string) => (named(box, name) as HTMLInputElement).checked;
  expect([isOn('On'), isOn('Off'), isTicked('Ticked'), isTicked('Empty')]).toEqual(['true', 'false', true, false]);
  await fire(named(box, 'On'), 'click');
  await check(named(box, 'Ticked'));
  expect([isOn('On'), isTicked('Ticked')]).toEqual(['false', false]);
  for (const name of ['On and disabled', 'Off and disabled', 'Disabled'])
    expect(named(box, name).hasAttribute('disabled')).toBe(true);
  expect([...box.querySelectorAll('[role=tab]')].map((each) => each.textContent)).toEqual([
    'Read',
    'Source',
    'Disabled',
  ]);
  expect(box.textContent).toContain('As it is read.');
});
