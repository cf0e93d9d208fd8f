import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { Callout, EmptyState, ErrorState, sentenceOf } from './state.tsx';

const page = usePage();

it('says what will be here, and offers a first step where there is one', async () => {
  const props = { icon: 'I', title: 'No keys yet', children: 'For programs.', action: 'New key' };
  const box = await page.show(createElement(EmptyState, props));
  await expect
    .poll(() => outline(box))
    .toEqual(['span[aria-hidden=true] I', 'p No keys yet', 'p For programs.', 'div New key']);
  expect([box.textContent, box.querySelectorAll('h1').length, box.querySelectorAll('p').length]).toEqual([
    'INo keys yetFor programs.New key',
    0,
    2,
  ]);
  const bare = await page.show(createElement(EmptyState, { icon: 'I', title: 'Empty', isPage: true }));
  expect([bare.querySelector('h1')?.textContent, bare.textContent, bare.querySelectorAll('p').length]).toEqual([
    'Empty',
    'IEmpty',
    0,
  ]);
  const lookOf = (each: Element) => each.firstElementChild?.className;
  expect(lookOf(bare)).not.toBe(lookOf(box));
});

it('announces a failure, and tries again', async () => {
  const onRetry = vi.fn();
  const props = { title: 'Not shown', error: new Error('No network.'), onRetry, action: 'Or leave' };
  const box = await page.show(createElement(ErrorState, props));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'div[role=alert]',
      'span[aria-hidden=true]',
      'icon circle-exclamation-point 22',
      'p Not shown',
      'p No network.',
      'div Or leave',
      'button[type=button]',
      'span Try again',
    ]);
  expect([box.querySelector('[role=alert]')?.textContent, box.querySelector('h1')]).toEqual([
    'Not shownNo network.Try againOr leave',
    null,
  ]);
  await fire(named(box, 'Try again'), 'click');
  expect(onRetry).toHaveBeenCalledOnce();
  const whole = await page.show(createElement(ErrorState, { title: 'Failed', error: 'x', isPage: true }));
  expect([whole.querySelector('h1')?.textContent, whole.querySelector('button')]).toEqual(['Failed', null]);
});

it('is a note with a role, an icon and a tone', async () => {
  const show = async (props: Omit<Parameters<typeof Callout>[0], 'children'>) =>
    (await page.show(createElement(Callout, { ...props, children: 'Note' }))).firstElementChild as Element;
  const note = await show({ role: 'alert', icon: 'I' });
  expect([note.getAttribute('role'), note.textContent, note.querySelector('[aria-hidden=true]')?.textContent]).toEqual([
    'alert',
    'INote',
    'I',
  ]);
  const tones: Element[] = [];
  for (const tone of ['neutral', 'good', 'warn', 'bad'] as const) tones.push(await show({ tone }));
  expect(tones.map(({ className }) => /bg-\S+/.exec(className)?.[0])).toEqual([
    'bg-sunken',
    'bg-accent-soft',
    'bg-warn-soft',
    'bg-bad-soft',
  ]);
  expect([tones[0]?.querySelector('[aria-hidden]'), note.className]).toEqual([null, tones[0]?.className]);
});

it('has the message of an error, with unseen characters by their code', () => {
  expect([new Error('No a\u202e.'), new Error(''), 'text'].map(sentenceOf)).toEqual([
    expect.stringContaining('U+202E'),
    'Something went wrong. Try again.',
    'Something went wrong. Try again.',
  ]);
});
