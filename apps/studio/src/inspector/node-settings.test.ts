import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { NodeSettings } from './node-settings.tsx';

it('says how long the results of a frozen component are kept', () => {
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
  const html = renderToStaticMarkup(
    createElement(NodeSettings, { node, entry: { descriptor }, isReadOnly: false, onEdit: () => undefined }),
  );
  expect(html).toContain('also after a restart');
  expect(html).toContain('as long as the history of runs, by default for 30 days');
});
