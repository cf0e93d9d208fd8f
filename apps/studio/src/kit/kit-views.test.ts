import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
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
  await expect
    .poll(() => outline(box))
    .toEqual([
      'h3 badge',
      'span Neutral',
      'span Connected',
      'span[aria-hidden=true]',
      'span Paused',
      'span[aria-hidden=true]',
      'span Failed',
      'span[aria-hidden=true]',
      'h3 spinner',
      'span[aria-hidden=true]',
      'span[aria-hidden=true]',
      'h3 progress',
      'div[aria-valuemax=100][aria-valuemin=0][aria-valuenow=0][aria-label=Not begun][role=progressbar]',
      'div[aria-valuemax=100][aria-valuemin=0][aria-valuenow=60][aria-label=On the way][role=progressbar]',
      'div[aria-valuemax=100][aria-valuemin=0][aria-valuenow=100][aria-label=Done][role=progressbar]',
      'div[aria-valuemax=100][aria-valuemin=0][aria-valuenow=40][aria-label=Failed][role=progressbar]',
      'h3 meter',
      'div[aria-valuetext=35 %][aria-valuemax=100][aria-valuemin=0][aria-valuenow=35][aria-label=Some used][role=meter]',
      'div[aria-valuetext=93 %][aria-valuemax=100][aria-valuemin=0][aria-valuenow=93][aria-label=Nearly full][role=meter]',
      'div[aria-valuetext=100 %][aria-valuemax=100][aria-valuemin=0][aria-valuenow=100][aria-label=Full][role=meter]',
      'h3 callout',
      'span[aria-hidden=true]',
      'icon info 16',
      'div Something to know.',
      'div It went well.',
      'span[aria-hidden=true]',
      'icon triangle-exclamation-point 16',
      'div Something to look at.',
      'span[aria-hidden=true]',
      'icon triangle-exclamation-point 16',
      'div It did not work.',
      'h3 breadcrumbs',
      'nav[aria-label=An example]',
      'a[href=/base/kit]',
      'bdi Files',
      'li[aria-hidden=true]',
      'icon chevron-right 16',
      'a[href=/base/kit?1]',
      'bdi projects',
      'li[aria-hidden=true]',
      'icon chevron-right 16',
      'span[aria-current=page]',
      'bdi garden',
    ]);
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
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=A card]',
      'h2 A card',
      'p With a sentence about it.',
      'span On',
      'div Its content.',
      'section[aria-label=Loading]',
      'div[role=status]',
      'span Loading an example',
      'span[aria-hidden=true]',
      'span[aria-hidden=true]',
      'span[aria-hidden=true]',
      'span[aria-hidden=true]',
      'span[aria-hidden=true]',
      'section[aria-label=Empty]',
      'span[aria-hidden=true]',
      'icon folder-open 22',
      'p This folder is empty',
      'p Drop files here, or let an agent write some.',
      'button[type=button]',
      'span Upload files',
      'icon upload 16',
      'section[aria-label=Failed]',
      'div[role=alert]',
      'span[aria-hidden=true]',
      'icon circle-exclamation-point 22',
      'p The folder cannot be shown',
      'p Croft does not answer. Check that it is running, then try again.',
      'button[type=button]',
      'span Try again',
    ]);
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
