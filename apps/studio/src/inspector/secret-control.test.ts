import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { choose, fire, named, type, usePage } from '../testing/page.ts';
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
  expect(await alert('OTHER')).toBe(
    'You have no secret of this name, so a run fails here. Choose another one, or store it as a new secret.',
  );
  for (const value of ['sk-123 456', '1KEY', 'x'.repeat(65)])
    expect(await alert(value)).toBe(
      'The flow has the secret itself, and everyone who opens the flow can read it. Store it as a new secret.',
    );
  expect(await alert('x'.repeat(64))).toMatch(/^You have no secret/);
});

it('never shows a value of the flow that may be the secret', async () => {
  const options = async (value: string) =>
    [...(await show(value)).box.querySelectorAll('option')].map(({ textContent }) => textContent);
  expect(await options('sk-123 456')).toEqual(['None', 'A value of the flow', 'KEY']);
  expect(await options('OTHER')).toEqual(['None', 'OTHER (not stored)', 'KEY']);
  expect(await options('')).toEqual(['None', 'KEY']);
  const { box } = await show('KEY');
  await vi.waitFor(() => expect(box.textContent).toBe('NoneKEY New secret'));
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

it('uses the secret that is chosen', async () => {
  const { box, values } = await show('');
  await choose(box.querySelector('select') as Element, 'KEY');
  expect(values).toEqual(['KEY']);
  expect((await show('', true)).box.querySelector('select')?.hasAttribute('disabled')).toBe(true);
});

it('stores a secret by the Enter key once it is whole', async () => {
  const { box, values, add } = await show('');
  server.answer('PUT /api/v1/variables/NEW', {});
  await add('  ', 'x');
  const [name, value] = [...box.querySelectorAll('input')] as unknown as [Element, Element];
  await fire(value, 'keydown', { key: 'Enter' });
  await type(name, 'NEW');
  await fire(value, 'keydown', { key: 'a' });
  expect(server.requests.filter((each) => each.startsWith('PUT'))).toEqual([]);
  await fire(value, 'keydown', { key: 'Enter' });
  await vi.waitFor(() => expect(values).toEqual(['NEW']));
  expect(box.querySelector('section')).toBeNull();
});

it('asks for a name and a value, and says that the value is not shown again', async () => {
  const { box, add } = await show('');
  await add('', '');
  expect(outline(box.querySelector('section') as Element)).toEqual([
    'label[for=#1] Name',
    'input#1[type=text][spellCheck=false][autoComplete=off]',
    'p#1-error[role=alert]',
    'label[for=#2] Value',
    'input#2[type=password][aria-describedby=#2-hint][autoComplete=off]',
    'p#2-hint Croft stores it encrypted, for you alone, and never shows it again.',
    'p#2-error[role=alert]',
    'button[disabled][type=button]',
    'span Save',
    'button[type=button]',
    'span Cancel',
  ]);
});
