import { createRegistry, emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { choicesOf } from './connect-dialog.tsx';
import { after, at, make, registry, take, wire } from './testing-wires.ts';

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
