import type { Descriptor } from '@croft/flow';
import { isBuiltinSource } from '../editable/sources.ts';
import type { CroftComponent } from '../services.ts';
import { expandedOutputs } from './code-outputs.ts';
import { runUserCode } from './run-user-code.ts';
import type { ReadComponent } from './sandbox/messages.ts';

/** The codes of a flow that were read, by their text. */
export type ReadCodes = ReadonlyMap<string, ReadComponent>;

/** A component of a user's own: its source runs in the sandbox, and so does other code that a node has in its place. */
export function userComponent(
  read: ReadComponent,
  source: string,
  { type = read.className, reads = new Map() }: { readonly type?: string; readonly reads?: ReadCodes } = {},
): CroftComponent {
  return {
    descriptor: descriptorOf(read, type),
    ports: portsByCode(reads, (values) => portsOfCode(read, values)),
    run: (call) => runUserCode(call.code ?? source, call),
  };
}

/** The ports of a node with code of its own; for other nodes those of `without`. */
export const portsByCode =
  (reads: ReadCodes, without: CroftComponent['ports']): NonNullable<CroftComponent['ports']> =>
  (values, code) => {
    const read = code === undefined ? undefined : reads.get(code);
    return read === undefined ? (without?.(values) ?? {}) : portsOfCode(read, values);
  };

const portsOfCode = ({ fields, outputs }: ReadComponent, values: Readonly<Record<string, unknown>>) => ({
  fields,
  outputs: expandedOutputs(outputs, values),
});

/**
 * A built-in component of a flow in which some nodes have code of their own in place of its source. Nodes without, and with
 * the very source, run in this process.
 */
export function editedBuiltin(entry: CroftComponent, reads: ReadCodes): CroftComponent {
  const { descriptor } = entry;
  return {
    ...entry,
    descriptor: { ...descriptor, effects: ['code'] },
    ports: portsByCode(reads, entry.ports),
    run: (call) =>
      call.code === undefined || isBuiltinSource(descriptor.type, call.code)
        ? entry.run(call)
        : runUserCode(call.code, call, { round: call.round }),
  };
}

function descriptorOf({ label, description, icon, fields, outputs }: ReadComponent, type: string): Descriptor {
  return {
    type,
    label,
    description,
    category: 'custom',
    ...(icon !== undefined && { icon }),
    effects: ['code'],
    fields,
    outputs: expandedOutputs(outputs, {}),
    tool: true,
  };
}
