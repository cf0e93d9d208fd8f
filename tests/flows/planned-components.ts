import type { Component, Field, Output, PortType } from '@croft/flow';

/**
 * Descriptors of components that real requests need and that Croft does not have yet, with the names and ports that
 * they are going to have. Where `packages/components` has a component of the same name, that one is used.
 */
const ANY: readonly PortType[] = ['Message', 'Data', 'Table', 'File', 'Any'];
const wait: Field = { name: 'wait_for', label: 'Wait for', kind: 'handle', accepts: ANY, list: true, gate: true };

const port = (name: string, accepts: readonly PortType[], more: Partial<Field> = {}): Field => ({
  name,
  label: name,
  kind: 'handle',
  accepts,
  required: true,
  ...more,
});
const out = (name: string, types: readonly PortType[], more: Partial<Output> = {}): Output => ({
  name,
  label: name,
  types,
  ...more,
});

function planned(type: string, fields: readonly Field[], outputs: readonly Output[], more: Partial<Component> = {}) {
  const descriptor = {
    type,
    label: type,
    description: type,
    category: 'planned',
    effects: ['none' as const],
    fields: [...fields, wait],
    outputs,
  };
  return {
    descriptor,
    run: () => Promise.reject(new Error(`${type} does not exist yet`)),
    ...more,
  } satisfies Component;
}

export const PLANNED: readonly Component[] = [
  planned('FileInput', [], [out('file', ['File']), out('files', ['Table'])]),
  planned('FileOutput', [port('file', ['File', 'Any'])], []),
  planned(
    'ListItem',
    [
      port('items', ['Table', 'File', 'Any']),
      { name: 'index', label: 'Index', kind: 'integer', min: 1, required: true },
    ],
    [out('item', ['Any'])],
  ),
];
