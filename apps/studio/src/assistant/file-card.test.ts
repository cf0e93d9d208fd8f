import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { FileCard } from './file-card.tsx';
import type { WrittenFile } from './turn-view.ts';

const page = usePage();
const show = (more: Partial<WrittenFile> = {}) =>
  page.show(
    createElement(FileCard, {
      file: { action: 'write_file', path: 'd/a.txt', size: 2048, content: 'Inside', ...more } as WrittenFile,
    }),
  );

it('shows invisible characters of a name by their codes', async () => {
  const box = await show({ path: 'd/gpj\u202ea.txt' });
  expect(box.textContent).toContain('d/gpj[U+202E]a.txt');
  await fire(named(box, 'Open'), 'click');
  expect(box.querySelector('dialog h2')?.textContent).toBe('gpj[U+202E]a.txt');
});

it('says what was written, and opens it without a request', async () => {
  const box = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=File d/a.txt]',
      'icon file-text 18',
      'p d/a.txt',
      'p Written · 2.0 KB',
      'button[type=button]',
      'span Open',
      'button[aria-label=Download a.txt][type=button]',
      'icon download 15',
      'span Download',
    ]);
  expect([box.querySelector('section')?.getAttribute('aria-label'), box.textContent]).toEqual([
    'File d/a.txt',
    'd/a.txtWritten · 2.0 KBOpen Download',
  ]);
  await fire(named(box, 'Open'), 'click');
  const dialog = box.querySelector('dialog') as HTMLDialogElement;
  expect([dialog.querySelector('h2')?.textContent, dialog.querySelector('pre')?.textContent]).toEqual([
    'a.txt',
    'Inside',
  ]);
  expect(dialog.textContent).toContain('d/a.txt');
  await fire(named(dialog, 'Close'), 'click');
  expect(box.querySelector('dialog')).toBeNull();
  expect(named(box, 'Download a.txt').textContent.trim()).toBe('Download');
});

it('says that a file was changed, and leads to one without its content', async () => {
  const box = await show({ action: 'edit_file' as never, size: 0, content: undefined } as never);
  expect(box.textContent).toBe('d/a.txtChangedOpen in Files');
  expect(named(box, 'Open in Files').getAttribute('href')).toBe('/base/files?dir=d&file=d%2Fa.txt');
});

it('renders Markdown', async () => {
  const box = await show({ path: 'a.MD', content: '# Title' });
  await fire(named(box, 'Open'), 'click');
  expect([box.querySelector('dialog h3')?.textContent, box.querySelector('[aria-describedby]')]).toEqual([
    'Title',
    null,
  ]);
});
