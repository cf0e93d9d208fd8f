import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { named, usePage } from '../testing/page.ts';
import { RunLink } from './run-link.tsx';

const page = usePage();

it('leads to the run', async () => {
  const box = await page.show(createElement(RunLink, { id: 'r1' }));
  await expect.poll(() => outline(box)).toEqual(['a[href=/base/runs/r1] Show the run']);
  expect(named(box, 'Show the run').getAttribute('href')).toBe('/base/runs/r1');
});
