import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { SignInFrame } from './sign-in-frame.tsx';

const page = usePage();

it('names the page and the document', async () => {
  const box = await page.show(
    createElement(SignInFrame, { title: 'Sign in', about: 'To your files.', children: 'Form' }),
  );
  await expect.poll(() => outline(box)).toEqual(['div Form', 'span Croft', 'h1 Sign in', 'div To your files.']);
  expect([box.querySelector('h1')?.textContent, box.querySelector('main')?.textContent, document.title]).toEqual([
    'Sign in',
    'CroftSign inTo your files.Form',
    'Sign in · Croft',
  ]);
});
