import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { SecretDialog } from './secret-dialog.tsx';

const page = usePage();

it('shows a secret with its example, copies it, and closes', async () => {
  const onClose = vi.fn();
  const writeText = vi.fn(async () => undefined);
  vi.stubGlobal('navigator', { userAgent: '', clipboard: { writeText } });
  const example = { title: 'Use it', content: 'curl' };
  const props = { thing: 'key', about: 'You see it once.', secret: 'croft_s', example, onClose };
  const box = await page.show(createElement(SecretDialog, props));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-describedby=#1-about][aria-labelledby=#1]',
      'h2#1 Copy the key now',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'p#1-about You see it once.',
      'p[aria-label=The key][role=region][tabindex=0] croft_s',
      'summary Use it',
      'div curl',
      'button[data-first=true][aria-live=polite][type=button]',
      'span Copy key',
      'icon copy 16',
      'button[type=button]',
      'span Done',
    ]);
  expect(box.textContent).toMatch(/^Copy the key nowYou see it once\..*croft_sUse itcurlCopy keyDone$/);
  expect(box.querySelector('[role=region]')?.getAttribute('aria-label')).toBe('The key');
  const copy = named(box, 'Copy key');
  expect(copy.hasAttribute('data-first')).toBe(true);
  await fire(copy, 'click');
  expect([writeText.mock.calls, onClose.mock.calls.length]).toEqual([[['croft_s']], 0]);
  await fire(named(box, 'Done'), 'click');
  expect(onClose).toHaveBeenCalledOnce();
});

it('shows the example at once where that is asked for', async () => {
  const example = { title: 'Use it', content: 'curl', isShown: true };
  const props = { thing: 'key', about: 'You see it once.', secret: 'croft_s', example, onClose: vi.fn() };
  const box = await page.show(createElement(SecretDialog, props));
  expect(box.querySelector('details')).toBeNull();
  expect(outline(box).slice(6, 9)).toEqual(['section[aria-label=Use it]', 'h3 Use it', 'div curl']);
});
