import { createElement } from 'react';
import { expect, it } from 'vitest';
import { usePage } from '../testing/page.ts';
import { MessageStates, ViewStates } from './kit-views.tsx';

const page = usePage();
const values = (box: Element, role: string) =>
  [...box.querySelectorAll(`[role=${role}]`)].map((each) => [
    each.getAttribute('aria-label'),
    each.getAttribute('aria-valuenow'),
  ]);

it('has badges, progress, meters and notes in each tone', async () => {
  const box = await page.show(createElement(MessageStates));
  for (const text of ['Neutral', 'Connected', 'Paused', 'Failed']) expect(box.textContent).toContain(text);
  for (const text of ['Something to know.', 'It went well.', 'Something to look at.', 'It did not work.'])
    expect(box.textContent).toContain(text);
  expect([...values(box, 'progressbar'), ...values(box, 'meter')].map(([label]) => label)).toEqual([
    'Not begun',
    'On the way',
    'Done',
    'Failed',
    'Some used',
    'Nearly full',
    'Full',
  ]);
  expect([...box.querySelectorAll('nav a, nav [aria-current]')].map((each) => each.textContent)).toEqual([
    'Files',
    'projects',
    'garden',
  ]);
});

it('has a view with content, and one that loads, is empty, or failed', async () => {
  const box = await page.show(createElement(ViewStates));
  expect([...box.querySelectorAll('[aria-label]')].map((each) => each.getAttribute('aria-label'))).toEqual(
    expect.arrayContaining(['A card', 'Loading', 'Empty', 'Failed']),
  );
  expect(box.textContent).toMatch(/A cardWith a sentence about it\.OnIts content\./);
  for (const text of [
    'Loading an example',
    'This folder is empty',
    'Upload files',
    'The folder cannot be shown',
    'Croft does not answer.',
  ])
    expect(box.textContent).toContain(text);
});
