import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { ComponentDialog } from './component-dialog.tsx';

const server = useFakeApi();
const page = usePage();
const SOURCE = 'GET /api/v1/components/Shout';
const SAVE = 'PUT /api/v1/components/Shout';

async function show(name: string, until = 'input') {
  const [onSaved, onClose] = [vi.fn(), vi.fn()];
  const box = await page.show(inClient(testClient())(createElement(ComponentDialog, { name, onSaved, onClose })));
  await vi.waitFor(() => expect(box.querySelector(until)).not.toBeNull());
  const field = () => box.querySelector('input') as HTMLInputElement;
  const press = (button: string) => fire(named(box, button), 'click');
  return { box, field, press, onSaved, onClose };
}

it('begins a new component with an example, and saves it under the name of its class', async () => {
  const { box, field, press, onSaved } = await show('');
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-describedby=#1-about][aria-labelledby=#1]',
      'h2#1 New component',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'p#1-about A class that extends Component. Its literal inputs and outputs become ports; each output names a method.',
      "input[type=text][data-types=true][data-focused=true][data-tall=true][data-language=typescript][aria-label=Code of the component][value=export class Shout extends Component {\\n  label = 'Shout';\\n  description = 'Gives a text in capital letters.';\\n  inputs = [{ name: 'value', label: 'Text', kind: 'text', default: 'hello' }];\\n  outputs = [{ name: 'result', label: 'Result', types: ['Message'], method: 'build' }];\\n\\n  build() {\\n    return this.value.toUpperCase();\\n  }\\n}\\n]",
      'button[aria-disabled=false][type=button]',
      'span Save component',
      'button[type=button]',
      'span Cancel',
    ]);
  expect([box.querySelector('h2')?.textContent, field().getAttribute('aria-label'), field().dataset['types']]).toEqual([
    'New component',
    'Code of the component',
    'true',
  ]);
  expect(box.textContent).toContain(
    'A class that extends Component. Its literal inputs and outputs become ports; each output names a method.',
  );
  expect(field().value).toMatch(/^export class Shout extends Component \{\n {2}label = 'Shout';/);
  server.answer(SAVE, {});
  await press('Save component');
  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
  expect(server.requests).toEqual([expect.stringContaining(`${SAVE} {"code":"export class Shout`)]);
});

it('saves by Ctrl and S once the code is there', async () => {
  const { field, onSaved } = await show('');
  server.answer(SAVE, {});
  const press = async (key: string) =>
    (await fire(field(), 'keydown', { key, ctrlKey: true, metaKey: false })).defaultPrevented;
  expect([await press('a'), server.requests.length]).toEqual([false, 0]);
  expect(await press('s')).toBe(true);
  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
});

it('says what is wrong with code, until it is changed', async () => {
  const { box, field, press, onSaved } = await show('');
  const problems = [{ line: 3, message: 'no output', fix: 'Add one.' }];
  server.answer(SAVE, () => Response.json({ problems, error: { code: 'invalid', message: 'x' } }, { status: 422 }));
  await press('Save component');
  await vi.waitFor(() => expect(box.querySelector('output')?.textContent).toBe('3: no output. Add one.'));
  expect([box.textContent.includes('Not saved. Correct the code and save again.'), onSaved.mock.calls]).toEqual([
    true,
    [],
  ]);
  await type(field(), 'class Shout {}');
  expect([box.querySelector('output')?.textContent, box.textContent.includes('Not saved')]).toEqual(['', false]);
});

it('says why it could not be saved', async () => {
  const { box, press } = await show('');
  server.answer(SAVE, refusal(503, 'away', 'It is not reachable.'));
  await press('Save component');
  await vi.waitFor(() => expect(box.textContent).toContain('It is not reachable.'));
});

it('edits the code of a component, and asks before changes are lost', async () => {
  server.answer(SOURCE, { code: 'class Shout {}' });
  const { box, field, press, onClose } = await show('Shout');
  expect([box.querySelector('h2')?.textContent, field().value]).toEqual(['Shout', 'class Shout {}']);
  await type(field(), 'class Shout { }');
  await press('Cancel');
  expect(onClose).not.toHaveBeenCalled();
  const confirm = [...box.querySelectorAll('dialog')].at(-1) as Element;
  expect(confirm.textContent).toMatch(/^Discard the changes\?.*The code was not saved\./);
  await fire(named(confirm, 'Cancel'), 'click');
  expect(box.textContent).not.toContain('Discard');
  await press('Cancel');
  await press('Discard changes');
  expect(onClose).toHaveBeenCalledOnce();
});

it('closes at once where nothing changed', async () => {
  server.answer(SOURCE, { code: 'class Shout {}' });
  const { field, press, onClose } = await show('Shout');
  await type(field(), 'x');
  await type(field(), 'class Shout {}');
  await press('Cancel');
  expect(onClose).toHaveBeenCalledOnce();
});

it('says that the code loads, and why it cannot be shown', async () => {
  server.answer(SOURCE, () => new Promise(() => undefined));
  const { box } = await show('Shout', '[role=status]');
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-describedby=#1-about][aria-labelledby=#1]',
      'h2#1 Shout',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'p#1-about A class that extends Component. Its literal inputs and outputs become ports; each output names a method.',
      'div[role=status]',
      'span Loading the code',
      ...Array<string>(10).fill('span[aria-hidden=true]'),
      'button[aria-disabled=true][type=button]',
      'span Save component',
      'button[type=button]',
      'span Cancel',
    ]);
  expect([
    box.textContent.includes('Loading the code'),
    named(box, 'Save component').getAttribute('aria-disabled'),
  ]).toEqual([true, 'true']);
  await fire(named(box, 'Save component'), 'click');
  expect(server.requests).toEqual([SOURCE]);
  server.answer(SOURCE, refusal(500, 'broken', 'It broke.'));
  const failed = await show('Shout', '[role=alert]');
  expect(failed.box.textContent).toContain('The code cannot be shownIt broke.');
  server.answer(SOURCE, { code: 'class Shout {}' });
  await failed.press('Try again');
  await vi.waitFor(() => expect(failed.field().value).toBe('class Shout {}'));
});
