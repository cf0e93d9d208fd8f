import { createElement } from 'react';
import { expect, it } from 'vitest';
import type { PortView } from '../canvas/node-view.ts';
import { outline } from '../testing/outline.ts';
import { fire, usePage } from '../testing/page.ts';
import { PortList } from './port-list.tsx';

const page = usePage();
const port = (name: string, more: object = {}) =>
  ({ name, label: `Label ${name}`, types: ['Message', 'Data'], required: false, ...more }) as unknown as PortView;

async function show(...ports: PortView[]) {
  const shown: string[] = [];
  const props = {
    label: 'Inputs',
    ports,
    connected: new Map([
      [
        'a',
        [
          { node: 'n', port: 'out' },
          { node: 'm', port: 'out' },
        ],
      ],
    ]),
    titleOf: ({ node }: { node: string }) => `Out of ${node}`,
    onShow: (node: string) => void shown.push(node),
  };
  const box = await page.show(createElement(PortList, props));
  return { box, shown, items: [...box.querySelectorAll('li')].map(({ textContent }) => textContent) };
}

it('shows the types of each port, and leads to the components that it is connected with', async () => {
  const { box, shown, items } = await show(port('a'), port('b', { required: true }));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Inputs]',
      'h3 Inputs',
      'span Label a',
      'span[aria-hidden=true]',
      'span Message or Data',
      'button[type=button]',
      'icon link-2 14',
      'span Out of n',
      'span Connected with',
      'button[type=button]',
      'icon link-2 14',
      'span Out of m',
      'span Connected with',
      'span Label b',
      'span[aria-hidden=true]',
      'span Message or Data (required)',
    ]);
  expect(items).toEqual([
    'Label aMessage or DataConnected with Out of nConnected with Out of m',
    'Label bMessage or Data (required)',
  ]);
  for (const button of box.querySelectorAll('button')) await fire(button, 'click');
  expect(shown).toEqual(['n', 'm']);
});

it('is absent without ports', async () => {
  expect((await show()).box.innerHTML).toBe('');
});
