import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { fire, named, usePage } from '../testing/page.ts';
import { HelpSheet } from './help-sheet.tsx';
import { SHORTCUTS } from './shortcuts.ts';

const page = usePage();

it('lists every key with its alternatives', async () => {
  const onClose = vi.fn();
  const box = await page.show(createElement(HelpSheet, { onClose }));
  expect(box.querySelector('dialog h2')?.textContent).toBe('Keys on the canvas');
  const sections = [...box.querySelectorAll('section')];
  expect(sections.map((each) => [each.getAttribute('aria-label'), each.querySelector('h3')?.textContent])).toEqual(
    SHORTCUTS.map(({ title }) => [title, title]),
  );
  expect([...box.querySelectorAll('dt')].map(({ textContent }) => textContent)).toEqual(
    SHORTCUTS.flatMap(({ rows }) => rows.map(({ about }) => about)),
  );
  const row = [...box.querySelectorAll('dl > div')].find((each) => each.textContent.startsWith('Redo'));
  expect(row?.textContent).toBe('RedoShiftCtrlZorCtrlY');
  await fire(named(box, 'Close'), 'click');
  expect(onClose).toHaveBeenCalledOnce();
});
