import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { fire, named, usePage } from '../testing/page.ts';
import { CardButton, CardToolbar } from './card-toolbar.tsx';
import { inFlow, itemOf } from './testing-store.ts';

const page = usePage();

it('has its buttons above the card', async () => {
  const onClick = vi.fn();
  const button = createElement(CardButton, { label: 'Copy', onClick, children: 'c' });
  await page.show(inFlow([itemOf('A')], createElement(CardToolbar, { id: 'A', children: button })));
  await fire(named(document.body, 'Copy'), 'click');
  expect(onClick).toHaveBeenCalledOnce();
  const toolbar = document.querySelector('.react-flow__node-toolbar');
  expect([toolbar?.getAttribute('data-id')?.trim(), toolbar?.querySelectorAll('button').length]).toEqual(['A', 1]);
});
