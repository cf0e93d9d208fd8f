import type { NodeCall, Output, Outputs, Progress } from '@croft/flow';
import { ComponentError, type Services } from '../services.ts';
import { isRow, toText } from '../values.ts';
import { inputsOf } from './code-inputs.ts';
import { expandedOutputs } from './code-outputs.ts';
import { readComponent } from './read-component.ts';
import type { CodeProblem, ReadComponent, RowOutcome } from './sandbox/messages.ts';
import { SandboxSession } from './sandbox-session.ts';

/** Characters of a node's inputs as JSON. */
const MAX_INPUT_CHARS = 16 * 1024 * 1024;

/** The open sessions of each run, by node: rows of one node share a module, which ends with the run. */
const sessions = new WeakMap<object, Map<string, { readonly source: string; readonly session: SandboxSession }>>();

/**
 * Runs the source of a component for one row, in the sandbox. Reads and scans the source first.
 *
 * @param more properties of the component besides its inputs
 * @throws ComponentError with the line of the source
 */
export async function* runUserCode(
  source: string,
  call: NodeCall<Services>,
  more: Readonly<Record<string, unknown>> = {},
): AsyncGenerator<Progress, Outputs, void> {
  const read = await readComponent(source, { signal: call.signal, user: call.services.user });
  if (!read.ok) throw unusable(read.problems);
  const { component } = read;
  const inputs = JSON.stringify({ ...more, ...inputsOf(component.fields, call.inputs) });
  if (inputs.length > MAX_INPUT_CHARS)
    throw new ComponentError(
      `The inputs of ${component.className} are larger than ${MAX_INPUT_CHARS} characters as JSON.`,
      'Give the component rows one by one, through a loop.',
    );
  const wanted = component.outputs.filter(({ name }) => call.wanted.has(name));
  const asked = component.outputs.every(({ method }) => method === undefined) ? component.outputs : wanted;
  const outputs = asked.map(({ name, method }) => ({ name, ...(method !== undefined && { method }) }));
  const outcome = await sessionOf(source, component, call).run(inputs, outputs, call.signal);
  for (const text of outcome.logs) yield { kind: 'log', text };
  if (!outcome.ok) throw failed(component, outcome);
  return checkedOutputs(component, call.inputs, outcome.outputs);
}

/** A failure that names the first problem and its line. */
export function unusable(problems: readonly CodeProblem[]): ComponentError {
  const [first] = problems;
  if (first === undefined) return new ComponentError('The code cannot be used.', 'Write it again.');
  return new ComponentError(`${placed(first)}.`, fixOf(first));
}

/** A problem with its line, without a full stop. */
export const placed = ({ line, message }: CodeProblem): string =>
  `${line > 0 ? `Line ${line} of the code: ` : ''}${message.replace(/\.$/, '')}`;

export function fixOf({ kind, line }: CodeProblem): string {
  if (kind === 'forbidden') return 'Use inputs, outputs and the components of Croft for files, requests and secrets.';
  return line > 0 ? `Change line ${line}.` : 'Change the code.';
}

function sessionOf(source: string, component: ReadComponent, call: NodeCall<Services>): SandboxSession {
  let ofRun = sessions.get(call.services);
  if (ofRun === undefined) sessions.set(call.services, (ofRun = new Map()));
  const found = ofRun.get(call.nodeId);
  if (found?.source === source) return found.session;
  found?.session.close();
  const session = new SandboxSession(component, { user: call.services.user });
  const own = { source, session };
  ofRun.set(call.nodeId, own);
  const end = () => {
    if (ofRun.get(call.nodeId) === own) ofRun.delete(call.nodeId);
    session.close();
  };
  // A run aborts its signal when it ends, however it ends.
  call.signal.addEventListener('abort', end, { once: true });
  return session;
}

function failed({ className }: ReadComponent, outcome: Extract<RowOutcome, { ok: false }>): ComponentError {
  const { line, message } = outcome;
  const where = line > 0 ? `${className}, line ${line}: ` : `${className}: `;
  return new ComponentError(`${where}${message}`, outcome.fix ?? FIXES[outcome.reason](line));
}

const FIXES: Readonly<Record<Extract<RowOutcome, { ok: false }>['reason'], (line: number) => string>> = {
  thrown: (line) => (line > 0 ? `Change line ${line} of the code, or the inputs.` : 'Change the code, or the inputs.'),
  time: () => 'Do less in one row, or give the component fewer rows at once.',
  memory: () => 'Keep less in memory, or give the component fewer rows at once.',
  result: () => 'Change what the methods return.',
};

function checkedOutputs(component: ReadComponent, inputs: NodeCall<Services>['inputs'], json: string): Outputs {
  const declared = expandedOutputs(component.outputs, inputs);
  const given = JSON.parse(json) as unknown;
  if (!isRow(given)) throw wrong(component, 'run() must return an object with the outputs by name.');
  const outputs: Record<string, unknown> = {};
  const unknown = Object.keys(given).find((name) => !declared.some((output) => output.name === name));
  if (unknown !== undefined)
    throw wrong(component, `there is no output '${unknown}'. Outputs: ${declared.map(({ name }) => name).join(', ')}.`);
  for (const output of declared) {
    const value = Object.hasOwn(given, output.name) ? given[output.name] : undefined;
    if (value !== undefined && value !== null) outputs[output.name] = typed(component, output, value);
  }
  return outputs;
}

function typed(component: ReadComponent, output: Output, value: unknown): unknown {
  const { types, name, branch, loop } = output;
  // A branch passes on any input; a loop gives its rows.
  if (types.includes('Any') || branch === true || loop === true) return value;
  const isList = Array.isArray(value);
  if (types.includes('Table') && isList) {
    if (value.every(isRow)) return value;
    throw wrong(component, `output '${name}' must be a list of objects.`);
  }
  if (isRow(value) && (types.includes('Data') || types.includes('File'))) return value;
  if (types.includes('Message')) {
    if (isRow(value) && typeof value['text'] === 'string') return value;
    if (typeof value !== 'object') return { text: toText(value) };
  }
  throw wrong(
    component,
    `output '${name}' gave ${kindOf(value)}, and must be ${types.map((type) => WANTED[type]).join(' or ')}.`,
  );
}

const WANTED: Readonly<Record<string, string>> = {
  Message: 'a text',
  Data: 'an object',
  Table: 'a list of objects',
  File: 'an object with a path',
};

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'a list' : isRow(value) ? 'an object' : `a ${typeof value}`;

const wrong = ({ className }: ReadComponent, text: string): ComponentError =>
  new ComponentError(`${className}: ${text}`, 'Change what the methods return, or the types of the outputs.');
