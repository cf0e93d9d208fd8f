import { act, createElement, useState } from 'react';
import { expect, it, onTestFinished } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { Dialog, FormFoot } from './dialog.tsx';

const page = usePage();

it('is modal while it is open, named and described, and closes by Escape and its button', async () => {
  let closed = 0;
  const props = { title: 'Title', about: 'About it', onClose: () => void (closed += 1), children: 'Inside' };
  const box = await page.show(createElement(Dialog, { ...props, open: true }));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-describedby=#1-about][aria-labelledby=#1]',
      'h2#1 Title',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'p#1-about About it',
      'div Inside',
    ]);
  const dialog = box.querySelector('dialog') as HTMLDialogElement;
  const textOf = (name: string) => document.getElementById(dialog.getAttribute(name) ?? '')?.textContent;
  expect([dialog.open, textOf('aria-labelledby'), textOf('aria-describedby')]).toEqual([true, 'Title', 'About it']);
  expect((await fire(dialog, 'cancel')).defaultPrevented).toBe(true);
  await fire(named(box, 'Close'), 'click');
  expect(closed).toBe(2);
  expect((await page.show(createElement(Dialog, { ...props, open: false }))).innerHTML).toBe('');
});

it('keeps its keys from the shortcuts of the page', async () => {
  const box = await page.show(
    createElement(Dialog, { open: true, title: 'T', onClose: () => undefined, children: '' }),
  );
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-labelledby=#1]',
      'h2#1 T',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
    ]);
  let seen = 0;
  document.body.addEventListener('keydown', () => void (seen += 1));
  await fire(box.querySelector('dialog') as Element, 'keydown', { key: 'a' });
  expect([seen, box.querySelector('[aria-describedby]')]).toEqual([0, null]);
});

it('stays open without onClose: by Escape, and where the browser closes it', async () => {
  const box = await page.show(createElement(Dialog, { open: true, title: 'T', children: '' }));
  const dialog = box.querySelector('dialog') as HTMLDialogElement;
  expect([box.querySelectorAll('button').length, (await fire(dialog, 'cancel')).defaultPrevented]).toEqual([0, true]);
  expect((await fire(dialog, 'keydown', { key: 'Escape' })).defaultPrevented).toBe(true);
  expect((await fire(dialog, 'keydown', { key: 'Tab' })).defaultPrevented).toBe(false);
  dialog.close();
  await fire(dialog, 'close');
  expect(dialog.open).toBe(true);
});

it('asks its owner where the browser closes it', async () => {
  let closed = 0;
  const onClose = () => void (closed += 1);
  const box = await page.show(createElement(Dialog, { open: true, title: 'T', onClose, children: '' }));
  const dialog = box.querySelector('dialog') as HTMLDialogElement;
  expect((await fire(dialog, 'keydown', { key: 'Escape' })).defaultPrevented).toBe(false);
  dialog.close();
  await fire(dialog, 'close');
  expect([dialog.open, closed]).toEqual([true, 1]);
});

it('submits a form by its first button, and cancels by the other', async () => {
  let closed = 0;
  const box = await page.show(
    createElement(FormFoot, { action: 'Save', busy: false, onClose: () => void (closed += 1) }),
  );
  await expect
    .poll(() => outline(box))
    .toEqual(['button[type=submit]', 'span Save', 'button[type=button]', 'span Cancel']);
  expect([named(box, 'Save').getAttribute('type'), named(box, 'Cancel').getAttribute('type')]).toEqual([
    'submit',
    'button',
  ]);
  await fire(named(box, 'Cancel'), 'click');
  expect(closed).toBe(1);
});

it.each([
  ['what had it before', true, false, 'before'],
  ['what the page chose, where that is gone', false, false, 'home'],
  ['what has it already', true, true, 'other'],
])('gives the focus back to %s', async (_, staysThere, isTaken, focused) => {
  const { prototype } = HTMLElement;
  const { focus } = prototype;
  const active: Element[] = [document.body];
  Object.defineProperty(document, 'activeElement', { configurable: true, get: () => active.at(-1) });
  prototype.focus = function put(this: HTMLElement) {
    active.push(this);
  };
  onTestFinished(() => void (prototype.focus = focus));
  let setOpen: (open: boolean) => void = () => undefined;
  const Host = () => {
    const [open, set] = useState(false);
    setOpen = set;
    return createElement(Dialog, {
      open,
      title: 'T',
      onClose: () => undefined,
      children: createElement('input', { 'data-first': true }),
    });
  };
  const names = ['before', 'home', 'other'];
  const buttons = names.map((id) =>
    createElement('button', { key: id, id, 'data-focus-home': id === 'home' || undefined }),
  );
  await page.show(createElement('div', {}, buttons, createElement(Host)));
  const [before, , other] = names.map((id) => document.getElementById(id) as HTMLElement);
  active.push(before as Element);
  await act(async () => setOpen(true));
  expect(active.at(-1)?.localName).toBe('input');
  if (!staysThere) before?.remove();
  active.push(isTaken ? (other as Element) : document.body);
  await act(async () => setOpen(false));
  expect(active.at(-1)?.id).toBe(focused);
});
