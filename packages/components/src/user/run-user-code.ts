import type { NodeCall, Outputs, Progress } from '@croft/flow';
import { ComponentError, type Services } from '../services.ts';
import { isRow, toText } from '../values.ts';
import { readComponent } from './read-component.ts';
import type { CodeOutput, CodeProblem, ReadComponent, RowOutcome } from './sandbox/messages.ts';
import { SandboxSession } from './sandbox-session.ts';

/** Characters of a node's inputs as JSON. */
const MAX_INPUT_CHARS = 16 * 1024 * 1024;

/** The open sessions of each run, by node: rows of one node share a module, which ends with the run. */
const sessions = new WeakMap<object, Map<string, { readonly source: string; readonly session: SandboxSession }>>();

/**
 * Runs the source of a component for one row, in the sandbox. Reads and scans the source first.
 *
 * @throws ComponentError with the line of the source
 */
export async function* runUserCode(source: string, call: NodeCall<Services>): AsyncGenerator<Progress, Outputs, void> {
  const read = await readComponent(source, call.signal);
  if (!read.ok) throw unusable(read.problems);
  const { component } = read;
  const inputs = JSON.stringify(inputsOf(component, call));
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
  return checkedOutputs(component, outcome.outputs);
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
  const session = new SandboxSession(component);
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

/** The values of the declared fields: plain JSON, and texts where the field is a text. */
function inputsOf({ fields }: ReadComponent, { inputs }: NodeCall<Services>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, kind, list } of fields) {
    const value = inputs[name];
    if (value === undefined) continue;
    const isText = (kind === 'text' || kind === 'multiline') && list !== true;
    values[name] = isText ? toText(value) : value;
  }
  return values;
}

function failed({ className }: ReadComponent, outcome: Extract<RowOutcome, { ok: false }>): ComponentError {
  const { line, message } = outcome;
  const where = line > 0 ? `${className}, line ${line}: ` : `${className}: `;
  return new ComponentError(`${where}${message}`, FIXES[outcome.reason](line));
}

const FIXES: Readonly<Record<Extract<RowOutcome, { ok: false }>['reason'], (line: number) => string>> = {
  thrown: (line) => (line > 0 ? `Change line ${line} of the code, or the inputs.` : 'Change the code, or the inputs.'),
  time: () => 'Do less in one row, or give the component fewer rows at once.',
  memory: () => 'Keep less in memory, or give the component fewer rows at once.',
  result: () => 'Change what the methods return.',
};

function checkedOutputs(component: ReadComponent, json: string): Outputs {
  const given = JSON.parse(json) as unknown;
  if (!isRow(given)) throw wrong(component, 'run() must return an object with the outputs by name.');
  const outputs: Record<string, unknown> = {};
  const unknown = Object.keys(given).find((name) => !component.outputs.some((output) => output.name === name));
  if (unknown !== undefined)
    throw wrong(
      component,
      `there is no output '${unknown}'. Outputs: ${component.outputs.map(({ name }) => name).join(', ')}.`,
    );
  for (const output of component.outputs) {
    const value = Object.hasOwn(given, output.name) ? given[output.name] : undefined;
    if (value !== undefined && value !== null) outputs[output.name] = typed(component, output, value);
  }
  return outputs;
}

function typed(component: ReadComponent, output: CodeOutput, value: unknown): unknown {
  const { types, name } = output;
  if (types.includes('Any')) return value;
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
