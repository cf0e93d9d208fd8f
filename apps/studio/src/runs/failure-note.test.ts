import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { FailureNote } from './failure-note.tsx';

const page = usePage();

const show = (failure: object, isOutdated = false) =>
  renderToStaticMarkup(
    createElement(FailureNote, {
      failure: { message: 'no key', ...failure } as never,
      titleOf: (id) => `Title ${id}`,
      isOutdated,
      action: 'Do it',
    }),
  );

it('says what failed, where, and what to do', () => {
  const html = show({ node: 'n', field: 'url', fix: 'set one' });
  expect(html).toMatch(/role="alert".*Title n · url.*no key\..*set one\..*Do it/i);
  expect(show({})).not.toContain('Title');
  expect(show({ node: 'n' })).not.toContain('·');
});

it('says that the component changed since, and alerts no more', () => {
  expect(show({ node: 'n' }, true)).toContain('Before the change:');
  expect(show({ node: 'n' }, true)).not.toContain('role="alert"');
  expect(show({ node: 'n' })).not.toContain('Before the change:');
});

async function outlineOf(isOutdated: boolean) {
  const failure = { message: 'no key', node: 'n', field: 'url', fix: 'set one' } as never;
  const props = { failure, titleOf: (id: string) => `Title ${id}`, isOutdated, action: 'Do it' };
  const box = await page.show(createElement(FailureNote, props));
  return [/bg-\S+/.exec(box.firstElementChild?.className ?? '')?.[0], ...outline(box)];
}

it('has another tone and icon after the component changed', async () => {
  expect(await outlineOf(false)).toEqual([
    'bg-bad-soft',
    'div[role=alert]',
    'span[aria-hidden=true]',
    'icon circle-exclamation-point 16',
    'p Title n · url',
    'p no key.',
    'p set one.',
    'div Do it',
  ]);
  expect(await outlineOf(true)).toEqual([
    'bg-sunken',
    'span[aria-hidden=true]',
    'icon rotate-ccw-clock 16',
    'p Before the change:',
    'p Title n · url',
    'p no key.',
    'p set one.',
    'div Do it',
  ]);
});
