import { expect, it } from 'vitest';
import { runCommand } from './run-command.ts';
import type { Command } from './shortcuts.ts';

const edge = { from: { node: 'a', port: 'o' }, to: { node: 'b', port: 'i' } };

/** The calls that a command makes. */
function run(name: Command, { ids = ['a', 'n'], edges = [] as (typeof edge)[], isReadOnly = false } = {}) {
  const calls: unknown[][] = [];
  const recorder = (prefix: string) =>
    new Proxy({} as Record<string, unknown>, {
      get: (_, key) =>
        key === 'componentsIn'
          ? (all: ReadonlySet<string>) => [...all].filter((each) => each !== 'n')
          : (...args: unknown[]) => void calls.push([`${prefix}${String(key)}`, ...args]),
    });
  const drawing = {
    selection: () => ({ ids: new Set(ids), edges }),
    instance: { fitView: () => calls.push(['fit']) },
    show: (...args: unknown[]) => calls.push(['show', ...args]),
    selectDrawn: (all: unknown) => calls.push(['select', all]),
  };
  runCommand(name, {
    drawing,
    actions: recorder(''),
    editing: recorder('editing.'),
    isReadOnly,
    all: () => ['a', 'b', 'n'],
    open: (part: string) => calls.push(['open', part]),
    run: () => calls.push(['run']),
    runFrom: (id: string) => calls.push(['runFrom', id]),
  } as unknown as Parameters<typeof runCommand>[1]);
  return calls;
}

it.each<[Command, unknown[][]]>([
  ['find', [['open', 'find']]],
  ['help', [['open', 'help']]],
  ['commands', [['open', 'commands']]],
  ['fit', [['fit']]],
  ['show-selected', [['show', 'a', true]]],
  ['run', [['run']]],
  ['run-from', [['runFrom', 'a']]],
  ['select-all', [['select', ['a', 'b', 'n']]]],
])('%s works also where the flow cannot be edited', (name, calls) => {
  expect(run(name, { isReadOnly: true })).toEqual(calls);
  expect(run(name)).toEqual(calls);
});

it.each<[Command, unknown[][]]>([
  ['add', [['open', 'add']]],
  ['connect', [['editing.openConnect', 'a']]],
  ['note', [['addNote']]],
  ['arrange', [['arrange']]],
  ['group', [['group']]],
  ['ungroup', [['ungroup']]],
  ['remove', [['remove']]],
  ['duplicate', [['duplicate']]],
  ['undo', [['step', 'undo']]],
  ['redo', [['step', 'redo']]],
  ['distribute-x', [['distribute', 'x']]],
  ['distribute-y', [['distribute', 'y']]],
  ['align-left', [['align', 'left']]],
])('%s changes the flow only where it can be edited', (name, calls) => {
  expect(run(name)).toEqual(calls);
  expect(run(name, { isReadOnly: true })).toEqual([]);
});

it('inserts a component on the connection that is selected alone', () => {
  expect(run('add', { ids: [], edges: [edge] })).toEqual([['editing.insertOn', edge]]);
  expect(run('add', { ids: ['a'], edges: [edge] })).toEqual([['open', 'add']]);
});

it('does nothing that needs a selection without one', () => {
  for (const name of ['show-selected', 'run-from', 'connect'] as const) expect(run(name, { ids: [] })).toEqual([]);
  expect(run('connect', { ids: ['n'] })).toEqual([]);
});
