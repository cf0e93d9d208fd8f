import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  buildFromSpec,
  type NodeCall,
  type Outputs,
  type Progress,
  type RunEvent,
  runFlow,
  type RunResult,
} from '@croft/flow';
import { withReplaced } from '@croft/workspace/testing';
import { builtinRegistry } from './builtin.ts';
import type { CroftComponent, Services } from './services.ts';
import { SandboxThread } from './user/sandbox-thread.ts';

export interface Ran extends RunResult {
  readonly events: readonly RunEvent[];
}

export interface RunMore {
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
  readonly runId?: string;
}

/** Runs a flow in its text form with these services, and collects its events. */
export async function runSpec(
  lines: readonly string[] | string,
  services: Partial<Services> = {},
  more: RunMore = {},
): Promise<Ran> {
  const registry = builtinRegistry();
  const built = buildFromSpec(typeof lines === 'string' ? lines : lines.join('\n'), registry);
  if ('error' in built) throw new Error(`${built.error}: ${built.details}`);
  const withClock = { now: () => new Date('2026-03-01T12:00:00Z'), ...services };
  const { onEvent, ...settings } = more;
  const options = { registry, services: withClock, ...settings };
  const running = runFlow(built.flow, options);
  const events: RunEvent[] = [];
  for (;;) {
    const { done, value } = await running.next();
    if (done === true) return { ...value, events };
    events.push(...value);
    for (const event of value) onEvent?.(event);
  }
}

export interface SingleNode {
  readonly type: string;
  readonly output: string;
  /** Values of the component. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** A text parsed as JSON where `input` takes records or rows. */
  readonly input?: string;
  readonly value?: unknown;
  readonly services?: Partial<Services>;
}

/** Runs one component, with a text or rows as one of its inputs. `value` is what the component gave at the output. */
export async function runNode(
  { type, output, config = {}, input, value, services }: SingleNode,
  more: RunMore = {},
): Promise<Ran & { readonly value: unknown }> {
  const isText = typeof value === 'string';
  const source = isText ? 'I.text' : 'T.dataframe_output';
  const given = [
    ['nodes:', `  C: ${type}`, ...(input === undefined ? [] : ['  I: TextInput'])],
    input === undefined || isText ? [] : ['  T: TypeConverterComponent'],
    input === undefined ? [] : ['edges:', `  ${source} -> C.${input}`],
    input === undefined || isText ? [] : ['  I.text -> T.input_data'],
    ['config:'],
    Object.entries(config).map(([name, each]) => `  C.${name}: ${JSON.stringify(each)}`),
    input === undefined ? [] : [`  I.input_value: ${JSON.stringify(isText ? value : JSON.stringify(value))}`],
  ];
  const ran = await runSpec(given.flat(), services, more);
  const own = Object.entries(ran.outputs).find(([id]) => id.startsWith(`${type}-`));
  return { ...ran, value: ran.status === 'completed' ? own?.[1][output] : undefined };
}

/** A call of a component with exactly these inputs. */
export function callOf(
  inputs: Readonly<Record<string, unknown>>,
  services: Partial<Services> = {},
  more: Partial<NodeCall<Services>> = {},
): NodeCall<Services> {
  return {
    nodeId: 'N',
    inputs,
    connected: new Set(),
    wanted: new Set(),
    services: { now: () => new Date('2026-03-01T12:00:00Z'), ...services },
    signal: new AbortController().signal,
    round: 0,
    stepKey: 'step-1',
    code: undefined,
    ...more,
  };
}

/** Runs a component alone, without the defaults of its fields, and collects what it reports. */
export async function runAlone(
  { run }: Pick<CroftComponent, 'run'>,
  ...call: Parameters<typeof callOf>
): Promise<{ readonly outputs: Outputs; readonly progress: readonly Progress[] }> {
  const running = run(callOf(...call));
  if (!(Symbol.asyncIterator in running)) return { outputs: await running, progress: [] };
  return drain(running);
}

/** Everything that a generator reports, and its result. */
export async function drain<Each, Result>(
  running: AsyncGenerator<Each, Result, void>,
): Promise<{ readonly outputs: Result; readonly progress: readonly Each[] }> {
  const progress: Each[] = [];
  for (;;) {
    const { done, value } = await running.next();
    if (done === true) return { outputs: value, progress };
    progress.push(value);
  }
}

export interface LocalServer {
  readonly url: string;
  readonly port: number;
  /** Accepted TCP connections. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

/** A real HTTP server on loopback, which counts its connections. */
export async function startServer(listener: RequestListener): Promise<LocalServer> {
  let connections = 0;
  const server = createServer(listener);
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The ports of a component as text: a line for each, with its kind, the types it takes or gives, and its other properties. */
export function portsOf({
  inputs = [],
  outputs = [],
}: {
  inputs?: readonly object[];
  outputs?: readonly object[];
}): string[] {
  const line = (port: object): string => {
    const {
      name,
      label: _,
      help: __,
      kind = 'gives',
      accepts,
      types,
      options,
      showWhen,
      requiredWhen,
      ...rest
    } = port as Record<string, any>;
    const flags = Object.entries(rest).map(([key, value]) =>
      value === true ? key : `${key}=${JSON.stringify(value)}`,
    );
    const among = options === undefined ? [] : [`of ${options.join('|')}`];
    const shown = showWhen === undefined ? [] : [`if ${showWhen.field} ${showWhen.is.join('|')}`];
    const needed = requiredWhen === undefined ? [] : [`required if ${requiredWhen.field} ${requiredWhen.is.join('|')}`];
    return [`${name}: ${kind}`, ...(accepts ?? types ?? []), ...flags.sort(), ...among, ...shown, ...needed].join(' ');
  };
  return [...inputs, ...outputs].map(line);
}

/** The type and the effects of a component, and its ports as `portsOf` gives them, without texts for people. */
export function declaredBy({ descriptor }: Pick<CroftComponent, 'descriptor'>): string[] {
  const { type, effects, fields, outputs } = descriptor;
  const inputs = fields.map((field) => {
    const { placeholder: _, schema: __, language: ___, ...rest } = field;
    return rest;
  });
  return [`${type}: ${effects.join(' ')}`, ...portsOf({ inputs, outputs })];
}

/** The texts of a component that people and models read: of itself, and a line for each port. */
export function textsOf(component: object): string[] {
  const { label, description, icon, category, keywords, aliases, fields, inputs, outputs, boundary, control, tool } =
    component as Record<string, any>;
  const words = [category, ...(keywords ?? []), ...(aliases ?? []), boundary, control, tool && 'tool'];
  const line = ({ name, label, help, placeholder, schema, language }: Record<string, any>) =>
    [`${name}: ${label}`, help, placeholder, schema && JSON.stringify(schema), language]
      .filter((each) => each !== undefined)
      .join(' | ');
  return [
    `${label} (${icon}): ${description}`,
    words.filter((each) => each !== undefined).join(' | '),
    ...[...(fields ?? inputs), ...outputs].map(line),
  ];
}

/**
 * Runs `act` while each job of the sandbox has a quarter of its time limit, for tests of jobs that use all of it. The tests of the
 * limits themselves do not use this.
 */
export async function withShortJobs<Result>(act: () => Promise<Result>): Promise<Result> {
  const ask = Reflect.get(SandboxThread.prototype, 'ask');
  const shortened: typeof ask = function (this: SandboxThread, job, limitMs, signal) {
    return ask.call(this, job, limitMs / 4, signal);
  };
  return withReplaced(SandboxThread.prototype, { ask: shortened }, act);
}
