import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { choose, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { FlowControl } from './flow-control.tsx';

const server = useFakeApi();
const page = usePage();
const control = { id: 'c', 'aria-describedby': undefined, 'aria-invalid': undefined };

async function show(value: string, disabled = false) {
  server.answer('GET /api/v1/flows', {
    flows: [
      { id: 'f1', name: 'Daily' },
      { id: 'f2', name: 'Weekly' },
    ],
    nextCursor: null,
  });
  const onValue = vi.fn();
  const box = await page.show(
    inClient(testClient())(createElement(FlowControl, { control, value, onValue, disabled })),
  );
  await vi.waitFor(() => expect(box.textContent).toContain('Daily'));
  const options = [...box.querySelectorAll('option')].map((each) => [
    each.getAttribute('value') ?? '',
    each.textContent,
  ]);
  return { select: box.querySelector('select') as HTMLSelectElement, options, onValue };
}

it('lists the flows of the user, and gives the id of one', async () => {
  const { select, options, onValue } = await show('');
  expect([options, select.getAttribute('id'), select.hasAttribute('disabled')]).toEqual([
    [
      ['', 'Choose a flow…'],
      ['f1', 'Daily'],
      ['f2', 'Weekly'],
    ],
    'c',
    false,
  ]);
  await choose(select, 'f1');
  expect(onValue.mock.calls).toEqual([['f1']]);
  await choose(select, '');
  expect(onValue.mock.lastCall).toEqual(['']);
  expect((await show('f1')).options.length).toBe(3);
});

it('keeps a name that was written by hand', async () => {
  const { select, options } = await show('{{name}}', true);
  expect([options[1], select.hasAttribute('disabled')]).toEqual([['{{name}}', '{{name}}'], true]);
});
