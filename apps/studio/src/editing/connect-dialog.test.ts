import { createRegistry, emptyFlow } from '@croft/flow';
import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, usePage } from '../testing/page.ts';
import { ConnectDialog, choicesOf } from './connect-dialog.tsx';
import { after, at, make, registry, take, wire } from './testing-wires.ts';

const page = usePage();

it('lists the connections that a component can have and those that it has, for the keyboard', () => {
  const wired = after([{ kind: 'connect', edge: wire('w', 'out', 'a', 'prompt') }]);
  expect(choicesOf(wired, registry, 'a').map(({ item }) => [item.group, item.title])).toEqual([
    ['From “Out” to', '“in” of Words'],
    ['To “tools” from', '“component_as_tool” of Words'],
    ['Connections now', 'Disconnect “Out” of Words from “prompt” of Agent'],
  ]);
});

it('lists ports that are rarely used behind the others of a component', () => {
  const waiting = { ...take('wait', 'Any'), gate: true };
  const late = createRegistry([...registry.entries, make('Late', [waiting, take('value', 'Message')], [])]);
  const pair = { ...emptyFlow('f'), nodes: [at('w', 'Words'), at('l', 'Late', 600)] };
  const titles = choicesOf(pair, late, 'w').map(({ item }) => item.title);
  expect(titles).toEqual(['“value” of Late', '“wait” of Late']);
});

it('connects what is picked, or removes the connection, and closes', async () => {
  const wired = after([{ kind: 'connect', edge: wire('w', 'out', 'a', 'prompt') }]);
  const [onConnect, onDisconnect, onClose] = [vi.fn(), vi.fn(), vi.fn()];
  const props = { flow: wired, registry, node: 'a', onConnect, onDisconnect, onClose };
  const box = await page.show(createElement(ConnectDialog, props));
  const dialog = document.querySelector('dialog') ?? box;
  await expect
    .poll(() => outline(dialog))
    .toEqual([
      'h2#1 Connect Agent',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'p#1-about Ports whose types do not fit are not in the list.',
      'input[placeholder=Search components and ports][spellCheck=false][autoComplete=off][aria-autocomplete=list][aria-activedescendant=#2-0][aria-controls=#2][aria-expanded=true][aria-label=Search components and ports][data-first=true][role=combobox]',
      'div#2[aria-label=Search components and ports][role=listbox]',
      'div[aria-label=From “Out” to][role=group]',
      'p[aria-hidden=true] From “Out” to',
      'div#2-0[draggable=false][aria-selected=true][tabindex=-1][role=option]',
      'span “in” of Words',
      'div[aria-label=To “tools” from][role=group]',
      'p[aria-hidden=true] To “tools” from',
      'div#2-1[draggable=false][aria-selected=false][tabindex=-1][role=option]',
      'span “component_as_tool” of Words',
      'div[aria-label=Connections now][role=group]',
      'p[aria-hidden=true] Connections now',
      'div#2-2[draggable=false][aria-selected=false][tabindex=-1][role=option]',
      'span Disconnect “Out” of Words from “prompt” of Agent',
    ]);
  const options = [...dialog.querySelectorAll('[role=option]')];
  await fire(options[0] as Element, 'click');
  expect([onConnect.mock.calls, onDisconnect.mock.calls, onClose.mock.calls.length]).toEqual([
    [[wire('a', 'out', 'w', 'in')]],
    [],
    1,
  ]);
  await fire(options.at(-1) as Element, 'click');
  expect([onConnect.mock.calls.length, onDisconnect.mock.calls]).toEqual([1, [[wire('w', 'out', 'a', 'prompt')]]]);
});

it('shows a message where a component has no port, and names a removed one by its id', async () => {
  const props = {
    flow: emptyFlow('f'),
    registry,
    node: 'x',
    onConnect: vi.fn(),
    onDisconnect: vi.fn(),
    onClose: vi.fn(),
  };
  const box = await page.show(createElement(ConnectDialog, props));
  expect((document.querySelector('dialog') ?? box).textContent).toEqual(
    'Connect xPorts whose types do not fit are not in the list.No port of another component fits. Add a component first.',
  );
  expect(choicesOf({ ...emptyFlow('f'), nodes: [at('g', 'Gone')] }, registry, 'g')).toEqual([]);
});
