import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { MODELS_KEY, type UserVariable } from '../api/models.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { choose, fire, named, type, usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { VariableDialog } from './variable-dialog.tsx';

const server = useFakeApi();
const page = usePage();

async function open(variable?: Partial<UserVariable>) {
  const onClose = vi.fn();
  const client = testClient();
  client.setQueryData([...MODELS_KEY, 'list'], []);
  const props = { variable: variable as UserVariable | undefined, onClose };
  const box = await page.show(inClient(client)(createElement(VariableDialog, props)));
  const inputs = () => [...box.querySelectorAll('input')] as HTMLInputElement[];
  const submit = () => fire(box.querySelector('form') as Element, 'submit');
  return { box, client, onClose, inputs, submit };
}

it('stores a credential, which the page hides, with the hosts that may get it', async () => {
  const { box, client, onClose, inputs, submit } = await open();
  const [name, value, hosts] = inputs() as [HTMLInputElement, HTMLInputElement, HTMLInputElement];
  expect(value.getAttribute('type')).toBe('password');
  expect(outline(box).filter((line) => /^(h2|label|input|select|option)/.test(line))).toEqual([
    'h2#1 New variable',
    'label[for=#2] Name',
    'input#2[placeholder=API_TOKEN][spellCheck=false][required][data-first=true][autoComplete=off]',
    'label[for=#3] Value',
    'input#3[type=password][aria-describedby=#3-hint][required][autoComplete=off]',
    'label[for=#4] Kind',
    'select#4[value=credential]',
    'option[selected] Credential: hidden in runs',
    'option Text: runs and logs may show it',
    'label[for=#5] Hosts (optional)',
    'input#5[aria-describedby=#5-hint][spellCheck=false][autoComplete=off]',
  ]);
  await type(name, ' KEY ');
  await type(value, ' s ');
  await type(hosts, 'a.x, b.x  c.x,');
  expect(inputs().map((each) => each.value)).toEqual([' KEY ', ' s ', 'a.x, b.x  c.x,']);
  server.answer('PUT /api/v1/variables/KEY', {});
  await submit();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(server.requests).toEqual([
    'PUT /api/v1/variables/KEY {"value":" s ","kind":"credential","hosts":["a.x","b.x","c.x"]}',
  ]);
  expect(isInvalid(client, [...MODELS_KEY, 'list'])).toBe(true);
});

it('replaces a variable under its name, with its kind and hosts', async () => {
  const { box, onClose, inputs, submit } = await open({ name: 'T', kind: 'text', hosts: ['h.x'] });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-labelledby=#1]',
      'h2#1 Replace T',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'label[for=#2] Value',
      'input#2[type=text][aria-describedby=#2-hint][required][data-first=true][autoComplete=off]',
      'p#2-hint Croft does not show it again.',
      'p#2-error[role=alert]',
      'label[for=#3] Kind',
      'select#3[value=text]',
      'option Credential: hidden in runs',
      'option[selected] Text: runs and logs may show it',
      'p#3-error[role=alert]',
      'label[for=#4] Hosts (optional)',
      'input#4[aria-describedby=#4-hint][spellCheck=false][autoComplete=off][value=h.x]',
      'p#4-hint Where requests of a flow may send it, such as api.example.com. Keys of model providers need none.',
      'p#4-error[role=alert]',
      'button[type=submit]',
      'span Save',
      'button[type=button]',
      'span Cancel',
    ]);
  expect([inputs().length, inputs()[0]?.getAttribute('type'), box.textContent?.includes('Replace T')]).toEqual([
    2,
    'text',
    true,
  ]);
  await type(inputs()[0] as Element, 'new');
  await choose(box.querySelector('select') as Element, 'credential');
  server.answer('PUT /api/v1/variables/T', {});
  await submit();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(server.requests).toEqual(['PUT /api/v1/variables/T {"value":"new","kind":"credential","hosts":["h.x"]}']);
});

it('stays open and says why it was not stored', async () => {
  const { box, onClose, submit } = await open({ name: 'T', kind: 'text', hosts: [] });
  server.answer('PUT /api/v1/variables/T', refusal(422, 'invalid', 'The host is not valid.'));
  await submit();
  await vi.waitFor(() => expect(box.textContent).toContain('The host is not valid.'));
  expect(onClose).not.toHaveBeenCalled();
});

it('closes without storing, and stores a value once', async () => {
  const { box, onClose, submit } = await open({ name: 'T', kind: 'text', hosts: [] });
  await fire(named(box, 'Close'), 'click');
  await fire(named(box, 'Cancel'), 'click');
  expect([onClose.mock.calls.length, server.requests]).toEqual([2, []]);
  server.answer('PUT /api/v1/variables/T', () => new Promise(() => undefined));
  expect((await submit()).defaultPrevented).toBe(true);
  await vi.waitFor(() => expect(box.textContent).toContain('Working'));
  await submit();
  expect(server.requests).toHaveLength(1);
});
