import { expect, it, vi } from 'vitest';
import { usePage } from '../testing/page.ts';
import { downloadText } from './download-text.ts';

usePage();

it('saves the text under its name, and lets go of it', async () => {
  let saved: Blob | undefined;
  const revoked: string[] = [];
  const create = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved = blob as Blob;
    return 'blob:1';
  });
  const revoke = vi.spyOn(URL, 'revokeObjectURL').mockImplementation((url) => void revoked.push(url));
  const clicks: unknown[] = [];
  const createElement = document.createElement.bind(document);
  document.createElement = ((name: string) => {
    const link = createElement(name) as HTMLAnchorElement;
    link.click = () => void clicks.push([name, link.href, link.download, revoked.length]);
    return link;
  }) as never;
  downloadText('f.json', '{}', 'application/json');
  expect(clicks).toEqual([['a', 'blob:1', 'f.json', 0]]);
  expect([await saved?.text(), saved?.type, revoked]).toEqual(['{}', 'application/json', ['blob:1']]);
  create.mockRestore();
  revoke.mockRestore();
});
