import type { Descriptor, Output } from '@croft/flow';
import type { CroftComponent } from '../services.ts';
import { runUserCode } from './run-user-code.ts';
import type { CodeOutput, ReadComponent } from './sandbox/messages.ts';

/** A component of a user's own: its source runs in the sandbox, and so does other code that a node has in its place. */
export function userComponent(read: ReadComponent, source: string, type: string = read.className): CroftComponent {
  return {
    descriptor: descriptorOf(read, type),
    run: (call) => runUserCode(call.code ?? source, call),
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
    outputs: outputs.map(withoutMethod),
    tool: true,
  };
}

/** An output as the rest of a flow sees it. */
export function withoutMethod(output: CodeOutput): Output {
  const { method: _, ...rest } = output;
  return rest;
}
