import { type Component, createRegistry, type Outputs, portsOf, type Registry } from '@croft/flow';

/** Components that only move texts: they run as they are. */
const REAL: ReadonlySet<string> = new Set([
  'FirstAvailable',
  'LoopComponent',
  'PromptTemplate',
  'Switch',
  'TextInput',
  'TextOutput',
]);

/** The same components; those that use a model, files, code or the network give a fixed value of the kind of each output. */
export function stubbedRegistry(registry: Registry<Component>): Registry<Component> {
  return createRegistry(
    registry.entries.map((entry) =>
      REAL.has(entry.descriptor.type)
        ? entry
        : {
            ...entry,
            run: ({ wanted, inputs, code }): Outputs => {
              const node = { id: 'n', type: entry.descriptor.type, position: { x: 0, y: 0 }, values: inputs as never };
              const { outputs } = portsOf({ ...node, ...(code !== undefined && { code }) }, entry);
              const types = new Map(outputs.map((output) => [output.name, output.types]));
              return Object.fromEntries([...wanted].map((name) => [name, valueOf(name, types.get(name) ?? [])]));
            },
          },
    ),
  );
}

function valueOf(name: string, types: readonly string[]): unknown {
  // The first case of a switch.
  if (name === 'case') return '0';
  if (types.includes('Table')) return [{ text: 'stub' }];
  if (types.includes('Data')) return { text: 'stub' };
  return 'stub';
}
