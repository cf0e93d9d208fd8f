import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { useFakeUploads } from '../testing/fake-upload.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { EditTextDialog } from './edit-text-dialog.tsx';

const server = useFakeApi();
const uploads = useFakeUploads();
const page = usePage();
const CONTENT = 'GET /api/v1/files/content';
const text = (body: string) => () => new Response(body, { headers: { 'Content-Type': 'text/plain', ETag: '"1"' } });

async function show(name = 'a.txt', answer: unknown = text('old')) {
  server.answer(CONTENT, answer);
  const onSaved = vi.fn<(undo: string | undefined) => Promise<void>>(() => Promise.resolve());
  const onClose = vi.fn();
  const props = { path: `d/${name}`, onSaved, onClose };
  const box = await page.show(inClient(testClient())(createElement(EditTextDialog, props)));
  await vi.waitFor(() => expect(box.textContent).not.toContain('Loading'));
  const field = () => box.querySelector('input') as HTMLInputElement;
  const press = (button: string) => fire(named(box, button), 'click');
  const names = () => [...box.querySelectorAll('button')].map((each) => each.textContent).filter(Boolean);
  return { box, field, press, names, onSaved, onClose };
}
const CONFLICT = JSON.stringify({ error: { code: 'changed', message: 'It changed.' } });

it('edits a text, and saves it once it changed', async () => {
  const { box, field, press, names, onSaved, onClose } = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-labelledby=#1]',
      'h2#1 Edit “”',
      'bdi a.txt',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'input[type=text][data-types=false][data-focused=true][data-tall=true][aria-label=Text of a.txt][value=old]',
      'button[disabled][type=button]',
      'span Save',
      'button[type=button]',
      'span Cancel',
    ]);
  expect([box.querySelector('h2')?.textContent, field().value, field().getAttribute('aria-label')]).toEqual([
    'Edit “a.txt”',
    'old',
    'Text of a.txt',
  ]);
  expect([named(box, 'Save').hasAttribute('disabled'), names()]).toEqual([true, ['Save', 'Cancel']]);
  await type(field(), 'new');
  await press('Save');
  await vi.waitFor(() => expect(uploads.length).toBe(1));
  expect(await uploads[0]?.body?.text()).toBe('new');
  uploads[0]?.end(200, '{"undo":"u1"}');
  await vi.waitFor(() => expect(onSaved.mock.calls).toEqual([['u1']]));
  expect(onClose).toHaveBeenCalledOnce();
});

it.each([
  ['a.ts', 'typescript'],
  ['a.TSX', 'typescript'],
  ['a.js', 'typescript'],
  ['a.mjs', 'typescript'],
  ['a.json', 'json'],
  ['a.txt', undefined],
])('knows the language of %s: %s', async (name, language) => {
  expect((await show(name)).field().dataset['language']).toBe(language);
});

it('saves by Ctrl and S, and leaves other keys to the editor', async () => {
  const { field } = await show();
  await type(field(), 'new');
  const press = async (event: object) =>
    (await fire(field(), 'keydown', { key: 's', ctrlKey: false, metaKey: false, ...event })).defaultPrevented;
  expect([await press({}), await press({ key: 'a', ctrlKey: true }), uploads.length]).toEqual([false, false, 0]);
  expect(await press({ key: 'S', metaKey: true })).toBe(true);
  await vi.waitFor(() => expect(uploads.length).toBe(1));
  expect(await press({ ctrlKey: true })).toBe(true);
});

it('asks before changes are lost', async () => {
  const { box, field, press, names, onClose } = await show();
  await type(field(), 'new');
  await press('Cancel');
  expect([onClose.mock.calls.length, box.querySelector('[role=alert]')?.textContent, names()]).toEqual([
    0,
    'Your changes are not saved.',
    ['Save', 'Discard changes'],
  ]);
  await press('Discard changes');
  expect(onClose).toHaveBeenCalledOnce();
});

it('lets the person decide where the file changed meanwhile', async () => {
  const { box, field, press, names } = await show();
  await type(field(), 'mine');
  await press('Save');
  await vi.waitFor(() => expect(uploads.length).toBe(1));
  uploads[0]?.end(412, CONFLICT);
  await vi.waitFor(() =>
    expect(box.querySelector('[role=alert]')?.textContent).toBe(
      'The file was changed since you opened it. Reload it and lose your changes, or overwrite it with your text.',
    ),
  );
  expect(names()).toEqual(['Overwrite', 'Reload', 'Cancel']);
  server.answer(CONTENT, text('theirs'));
  await press('Reload');
  await vi.waitFor(() => expect(field().value).toBe('theirs'));
});

it('says why it was not saved, or cannot be edited', async () => {
  const { box, field, press } = await show();
  await type(field(), 'new');
  await press('Save');
  await vi.waitFor(() => expect(uploads.length).toBe(1));
  uploads[0]?.end(507, JSON.stringify({ error: { code: 'quota', message: 'No space.' } }));
  await vi.waitFor(() => expect(box.querySelector('[role=alert]')?.textContent).toBe('Not saved. No space.'));
  const failed = await show('a.txt', refusal(500, 'broken', 'It broke.'));
  expect(failed.box.textContent).toContain('The file cannot be editedIt broke.');
});
