import type { Descriptor, Field, NodeCall, Outputs } from '@croft/flow';
import type { CroftComponent, Services } from '../services.ts';
import { expandedOutputs, withoutMethod } from '../user/code-outputs.ts';
import { inputsOf } from '../user/code-inputs.ts';
import type { CodeOutput } from '../user/sandbox/messages.ts';
import type { Component } from './component.ts';

/** The parts of a descriptor that the class of a component does not declare. */
type More = Pick<Descriptor, 'category' | 'effects' | 'control' | 'boundary' | 'keywords' | 'aliases'>;

interface Editable extends Component {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly inputs: readonly object[];
  readonly outputs: readonly object[];
  run(): unknown;
}

/**
 * A built-in component from a class as users write it: the class is its only implementation. It runs in this process,
 * because its source is Croft's own; a copy that a user changed runs in the sandbox.
 */
export function editable(type: string, Class: new () => Editable, more: More): CroftComponent {
  const { label, description, icon, inputs, outputs } = new Class();
  const fields = inputs as readonly Field[];
  const declared = outputs as readonly CodeOutput[];
  return {
    descriptor: {
      type,
      label,
      description,
      icon,
      ...more,
      fields,
      outputs: expandedOutputs(declared, {}),
      ...rowOutputsOf(declared, fields),
    },
    run: (call: NodeCall<Services>) => {
      const component = Object.assign(new Class(), { round: call.round }, inputsOf(fields, call.inputs));
      return component.run() as Outputs;
    },
  };
}

/** The output with one port for each row of a field, as the descriptor declares it. */
function rowOutputsOf(outputs: readonly CodeOutput[], fields: readonly Field[]): Pick<Descriptor, 'rowOutputs'> {
  const output = outputs.find(({ each }) => each !== undefined);
  const field = fields.find(({ name }) => name === output?.each);
  const column = field?.columns?.[0]?.name;
  if (output === undefined || field === undefined || column === undefined) return {};
  return { rowOutputs: { field: field.name, column, output: withoutMethod(output) } };
}
