import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { ApiError } from '../api/request.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { FlowNotShown } from './flow-not-shown.tsx';

const page = usePage();

async function show(flow: Error | null, components: Error | null) {
  const refetch = vi.fn(() => Promise.resolve());
  const box = await page.show(
    createElement(FlowNotShown, { flow: { error: flow, refetch }, components: { error: components, refetch } }),
  );
  return { box, refetch };
}

it('shows the error of the flow or of its components, and loads both again', async () => {
  const { box, refetch } = await show(new ApiError('gone', 'There is no such flow.', 404), null);
  expect([...box.querySelectorAll('h1, p, button, a')].map(({ textContent }) => textContent)).toEqual([
    'This flow cannot be shown',
    'There is no such flow.',
    'Try again',
    'Go to your flows',
  ]);
  await fire(named(box, 'Try again'), 'click');
  expect(refetch).toHaveBeenCalledTimes(2);
  expect(named(box, 'Go to your flows').getAttribute('href')).toBe('/base/flows');
  expect((await show(null, new Error('No components.'))).box.textContent).toContain('No components.');
});

it('waits without an error', async () => {
  expect((await show(null, null)).box.textContent).toBe('Loading');
});
