import { createElement, useState } from 'react';
import { expect, it, vi } from 'vitest';
import { settle } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { NameDialog } from './name-dialog.tsx';

const page = usePage();

async function open(before?: string, onName: (name: string) => Promise<unknown> = () => Promise.resolve()) {
  const names: string[] = [];
  const onClose = vi.fn();
  const save = (name: string) => {
    names.push(name);
    return onName(name);
  };
  const props = { title: 'T', action: 'Save', onName: save, onClose, ...(before !== undefined && { before }) };
  const box = await page.show(inClient(testClient())(createElement(NameDialog, props)));
  const input = box.querySelector('input') as HTMLInputElement;
  const submit = () => fire(box.querySelector('form') as Element, 'submit');
  return { box, names, onClose, input, submit };
}

it('hands on the name without spaces around it, and closes', async () => {
  const { names, onClose, input, submit } = await open();
  await type(input, ' new ');
  await submit();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(names).toEqual(['new']);
});

it('changes nothing where the name is the same', async () => {
  const { names, onClose, submit } = await open('old');
  await submit();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(names).toEqual([]);
});

it('takes folders before a new name of an entry, and not before the name of a new folder', async () => {
  const entry = await open('old.txt');
  expect(entry.box.textContent).toContain('To move it, write a folder before the name');
  await type(entry.input, '/a/../x');
  await entry.submit();
  expect(entry.box.textContent).toContain('A name cannot be only dots.');
  await type(entry.input, '/a/x');
  expect(entry.box.querySelector('[type=submit]')?.textContent).toBe('Move');
  await entry.submit();
  await vi.waitFor(() => expect(entry.names).toEqual(['/a/x']));
  const folder = await open();
  expect(folder.box.textContent).not.toContain('To move it');
  await type(folder.input, 'a/x');
  await folder.submit();
  expect(folder.box.textContent).toContain('A name cannot contain a slash.');
});

it('shows what a name hides', async () => {
  const { box, input } = await open();
  await expect
    .poll(() => outline(box.querySelector('form') as Element))
    .toEqual([
      'label[for=#1] Name',
      'input#1[spellCheck=false][data-first=true][autoComplete=off]',
      'p#1-error[role=alert]',
      'button[type=submit]',
      'span Save',
      'button[type=button]',
      'span Cancel',
    ]);
  expect(box.querySelector('h2')?.textContent).toBe('T');
  await type(input, 'plain');
  expect(box.textContent).not.toContain('invisible');
  await type(input, 'a\u202etxt');
  expect(box.textContent).toContain('The name contains invisible characters');
});

it('closes nothing where the user closed it before the name was saved', async () => {
  const closes = vi.fn();
  let save: (value: unknown) => void = () => undefined;
  const onName = () => new Promise((resolve) => (save = resolve));
  function Opened() {
    const [isOpen, setIsOpen] = useState(true);
    const onClose = () => {
      closes();
      setIsOpen(false);
    };
    return isOpen ? createElement(NameDialog, { title: 'T', action: 'Save', onName, onClose }) : null;
  }
  const box = await page.show(inClient(testClient())(createElement(Opened)));
  await type(box.querySelector('input') as Element, 'new');
  await fire(box.querySelector('form') as Element, 'submit');
  await fire(named(box, 'Cancel'), 'click');
  save(undefined);
  for (let turn = 0; turn < 3; turn++) await settle();
  expect(closes).toHaveBeenCalledOnce();
});
