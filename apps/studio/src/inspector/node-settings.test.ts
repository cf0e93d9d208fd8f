import { createElement } from 'react';
import { expect, it } from 'vitest';
import { usePage } from '../testing/page.ts';
import { NodeSettings } from './node-settings.tsx';

const page = usePage();

it('says how long the results of a frozen component are kept', async () => {
  const descriptor = {
    type: 'T',
    label: 'T',
    description: '',
    category: 'text',
    icon: 'text',
    version: 1,
    effects: [],
    fields: [],
    outputs: [],
  } as const;
  const node = { id: 'N', type: 'T', position: { x: 0, y: 0 }, values: {} };
  const { textContent } = await page.show(
    createElement(NodeSettings, { node, entry: { descriptor }, isReadOnly: false, onEdit: () => undefined }),
  );
  expect(textContent).toContain('also after a restart');
  expect(textContent).toContain('as long as the history of runs, by default for 30 days');
});
