import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, usePage } from '../testing/page.ts';
import { DropZone } from './drop-zone.tsx';
import type { PickedFiles } from './picked-files.ts';

const page = usePage();

async function show(takes = true) {
  const onFiles = vi.fn((files: Promise<PickedFiles>) => files);
  const props = { name: 'docs', onFiles: takes ? (files: Promise<PickedFiles>) => void onFiles(files) : undefined };
  const box = await page.show(createElement(DropZone, { ...props, children: 'Folder' }));
  const zone = box.firstElementChild as Element;
  const drag = async (name: string, types = ['Files']) =>
    (await fire(zone, name, { dataTransfer: { types, items: [], files: [] } })).defaultPrevented;
  return { box, onFiles, drag };
}

it('says where dropped files go while some are over it, also over its parts', async () => {
  const { box, drag } = await show();
  await expect.poll(() => outline(box)).toEqual(['div Folder']);
  expect([await drag('dragenter'), box.textContent]).toEqual([true, 'FolderDrop to upload to docs']);
  await drag('dragenter');
  await drag('dragleave');
  expect(box.textContent).toContain('Drop to upload');
  expect([await drag('dragover'), await drag('dragleave'), box.textContent]).toEqual([true, true, 'Folder']);
});

it('takes what is dropped, and starts again', async () => {
  const { box, onFiles, drag } = await show();
  await drag('dragenter');
  expect([await drag('drop'), box.textContent, onFiles.mock.calls.length]).toEqual([true, 'Folder', 1]);
  await drag('dragenter');
  await drag('dragleave');
  expect(box.textContent).toBe('Folder');
});

it('leaves other things, and files where none can be added, to the browser', async () => {
  const { box, onFiles, drag } = await show();
  const fixed = await show(false);
  for (const name of ['dragenter', 'dragover', 'drop'])
    expect([await drag(name, ['text/plain']), await fixed.drag(name)]).toEqual([false, false]);
  expect([box.textContent, fixed.box.textContent, onFiles.mock.calls]).toEqual(['Folder', 'Folder', []]);
});
