import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { SecretControl } from './secret-control.tsx';

const server = useFakeApi();
const page = usePage();
const control = { id: 'x', 'aria-describedby': undefined, 'aria-invalid': undefined };

async function show(value: string, disabled = false) {
  server.answer('GET /api/v1/variables', { variables: [{ name: 'KEY' }] });
  const values: string[] = [];
  const props = { control, value, disabled, onValue: (next: string) => void values.push(next) };
  const box = await page.show(inClient(testClient())(createElement(SecretControl, props)));
  await vi.waitFor(() => expect(box.textContent).toContain('KEY'));
  const add = async (name: string, secret: string) => {
    await fire(named(box, 'New secret'), 'click');
    const [first, second] = [...box.querySelectorAll('input')] as Element[];
    await type(first as Element, name);
    await type(second as Element, secret);
  };
  return { box, values, add };
}

it('says that a run fails without the secret, or that the flow has the secret itself', async () => {
  const alert = async (value: string) => (await show(value)).box.querySelector('[role=alert]')?.textContent;
  expect(await alert('KEY')).toBeUndefined();
  expect(await alert('')).toBeUndefined();
  expect(await alert('OTHER')).toMatch(/^You have no secret of this name/);
  expect(await alert('sk-123 456')).toMatch(/^The flow has the secret itself/);
});

it('never shows a value of the flow that may be the secret', async () => {
  expect((await show('sk-123 456')).box.textContent).not.toContain('sk-123');
  expect((await show('OTHER')).box.textContent).toContain('OTHER (not stored)');
});

it('stores a new secret and uses it by its name', async () => {
  const { box, values, add } = await show('');
  await expect
    .poll(() => outline(box))
    .toEqual(['option[selected] None', 'option KEY', 'button[type=button]', 'span New secret', 'icon plus 15']);
  server.answer('PUT /api/v1/variables/NEW', {});
  await add(' NEW ', 'hunter2');
  expect(box.querySelectorAll('input')[1]?.getAttribute('type')).toBe('password');
  await fire(named(box, 'Save'), 'click');
  await vi.waitFor(() => expect(values).toEqual(['NEW']));
  expect(server.requests.filter((each) => !each.startsWith('GET'))).toEqual([
    'PUT /api/v1/variables/NEW {"value":"hunter2"}',
  ]);
});

it('stores nothing half written, keeps what was typed where it is refused, and can be left', async () => {
  const { box, values, add } = await show('');
  await add('NEW', '');
  expect(named(box, 'Save').hasAttribute('disabled')).toBe(true);
  await type(box.querySelectorAll('input')[1] as Element, 'x');
  server.answer('PUT /api/v1/variables/NEW', refusal(422, 'invalid', 'The name is reserved.'));
  await fire(named(box, 'Save'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('The name is reserved.'));
  expect(box.querySelectorAll('input')).toHaveLength(2);
  await fire(named(box, 'Cancel'), 'click');
  expect([box.querySelectorAll('input').length, values]).toEqual([0, []]);
});

it('adds none where the flow cannot be edited', async () => {
  expect((await show('', true)).box.querySelectorAll('button')).toHaveLength(0);
});
