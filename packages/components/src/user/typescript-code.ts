import type { Field, Output } from '@croft/flow';
import type { CroftComponent } from '../services.ts';
import { expandedOutputs } from './code-outputs.ts';
import { knownComponent } from './read-component.ts';
import { runUserCode } from './run-user-code.ts';
import type { ReadComponent } from './sandbox/messages.ts';

const SAMPLE = `export class MyComponent extends Component {
  inputs = [{ name: 'value', label: 'Value', kind: 'text', default: 'hello' }];
  outputs = [{ name: 'result', label: 'Result', types: ['Message'], method: 'build' }];

  build() {
    return this.value.toUpperCase();
  }
}
`;

const CODE: Field = {
  name: 'code',
  label: 'Code',
  kind: 'code',
  language: 'typescript',
  required: true,
  default: SAMPLE,
  variables: false,
  help: 'A class that extends Component. inputs and outputs are lists of literals; each output names a method. The code has no files, no network and no timers; this.log(…) writes to the log.',
};
const WAIT: Field = {
  name: 'wait_for',
  label: 'Wait for',
  kind: 'handle',
  accepts: ['Message', 'Data', 'Table', 'File', 'Any'],
  list: true,
  gate: true,
  advanced: true,
  help: 'The code runs after what is connected here, and not where that branch is not taken.',
};
/** The ports of the sample, which a node has until its own code is read. */
const FIELDS: readonly Field[] = [
  CODE,
  { name: 'value', label: 'Value', kind: 'text', default: 'hello', accepts: ['Message'] },
  WAIT,
];
const OUTPUTS: readonly Output[] = [{ name: 'result', label: 'Result', types: ['Message'] }];

/** The component whose code is one of its values. `reads` has the codes of the flow that it is for. */
export function typescriptCode(reads: ReadonlyMap<string, ReadComponent> = new Map()): CroftComponent {
  return {
    descriptor: {
      type: 'TypeScriptCode',
      label: 'TypeScript code',
      description: 'Runs TypeScript of your own in a sandbox: a class whose inputs and outputs become ports.',
      category: 'processing',
      icon: 'code',
      keywords: ['custom', 'function', 'script', 'javascript'],
      effects: ['code'],
      fields: FIELDS,
      outputs: OUTPUTS,
      tool: true,
    },
    ports(values) {
      const { code } = values;
      if (typeof code !== 'string' || code === SAMPLE) return {};
      const read = reads.get(code) ?? componentOf(code);
      if (read === undefined) return {};
      return { fields: [CODE, ...read.fields, WAIT], outputs: expandedOutputs(read.outputs, values) };
    },
    run: (call) => runUserCode(String(call.inputs['code']), call),
  };
}

function componentOf(code: string): ReadComponent | undefined {
  const known = knownComponent(code);
  return known?.ok === true ? known.component : undefined;
}
