import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from './outline.ts';
import { check, type, usePage } from './page.ts';

const page = usePage();

it('has a line for each element with a text, attributes or a value', async () => {
  const box = await page.show(
    createElement(
      'div',
      { className: 'card' },
      createElement('label', { htmlFor: '_r_z_' }, ' Name ', createElement('b', {}, '*')),
      createElement('input', { id: '_r_z_', type: 'text' }),
      createElement('input', { type: 'checkbox', 'aria-labelledby': '_r_y_ _r_z_' }),
      createElement('textarea', { 'aria-label': 'Text', defaultValue: 'old' }),
      createElement(
        'button',
        { disabled: true, id: 'own' },
        createElement('svg', { width: 1 }, createElement('title', {}, 'x')),
        createElement('svg', { width: 2, 'aria-hidden': true }),
      ),
    ),
  );
  await type(box.querySelector('input') as Element, 'Ada');
  await check(box.querySelector('[type=checkbox]') as Element);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'label[for=#1] Name',
      'b *',
      'input#1[type=text][value=Ada]',
      'input[type=checkbox][aria-labelledby=#2 #1][checked]',
      'textarea[aria-label=Text]',
      'button[disabled]',
      'icon  1 [read aloud]',
      'icon  2',
    ]);
});

it('leaves out what is inside a closed element', async () => {
  const list = createElement('ul', { title: 'List' }, createElement('li', {}, 'One'));
  const icon = createElement('svg', { width: 1 }, createElement('title', {}, 'x'));
  const box = await page.show(createElement('main', {}, list, icon, 'Text'));
  expect(outline(box)).toEqual(['main Text', 'ul[title=List]', 'li One', 'icon  1 [read aloud]']);
  expect(outline(box, 'ul')).toEqual(['main Text', 'ul[title=List]', 'icon  1 [read aloud]']);
});
