import { createElement } from 'react';
import { expect, it } from 'vitest';
import { usePage } from '../testing/page.ts';
import { FileIcon } from './file-icon.tsx';

const page = usePage();

async function show(name: string, type: 'file' | 'dir' = 'file', size?: number) {
  const icon = (await page.show(createElement(FileIcon, { name, type, ...(size && { size }) }))).querySelector('svg');
  return { kind: /lucide-(?:file|folder)\S*/.exec(icon?.getAttribute('class') ?? '')?.[0], icon };
}

it.each([
  ['a.PNG', 'image'],
  ['a.jpg', 'image'],
  ['a.md', 'text'],
  ['a.docx', 'text'],
  ['a.ts', 'code'],
  ['a.yml', 'code'],
  ['a.bin', ''],
  ['png', ''],
])('has an icon for the kind of %s', async (name, kind) => {
  const one = (await show(name)).kind;
  expect(one?.includes('image')).toBe(kind === 'image');
  expect(one?.includes('text')).toBe(kind === 'text');
  expect(one?.includes('code')).toBe(kind === 'code');
});

it('is a folder for folders, decorative, and as large as asked', async () => {
  const { kind, icon } = await show('a.png', 'dir');
  expect([kind, icon?.getAttribute('aria-hidden'), icon?.getAttribute('width')]).toEqual([
    'lucide-folder',
    'true',
    '18',
  ]);
  const file = (await show('a', 'file', 30)).icon;
  expect([file?.getAttribute('aria-hidden'), file?.getAttribute('width')]).toEqual(['true', '30']);
});
