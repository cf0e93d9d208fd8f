import { applyEdits, type Edit, emptyFlow, type FlowDocument, type FlowNode, type Registry } from '@croft/flow';
import { createModels, type Models } from '@croft/models';
import type { AssistantEvent } from './events.ts';
import { runTurn } from './run-turn.ts';
import type { AssistantTool } from './tools/assistant-tool.ts';
import type { Canvas, FlowRuns, Turn } from './turn.ts';

/** The text form of a flow that counts the words of a message. For tests. */
export const WORD_COUNT_SPEC = `name: Word count
nodes:
  I: ChatInput
  S: TextStatistics
  P: ParserComponent
  O: ChatOutput
edges:
  I.message -> S.text_input
  S.data -> P.input_data
  P.parsed_text -> O.input_value
config:
  P.pattern: "{words} words"
`;

/** The text form of a flow that counts the words of a file. For tests. */
export const FILE_WORDS_SPEC = `name: Words of a note
nodes:
  O: ChatOutput
  P: ParserComponent
  S: TextStatistics
  F: File
edges:
  F.message -> S.text_input
  S.data -> P.input_data
  P.parsed_text -> O.input_value
config:
  F.path: notes.md
  P.pattern: "notes.md has {words} words"
`;

/** A canvas in memory. For tests. */
export interface MemoryCanvas extends Canvas {
  readonly flow: FlowDocument;
  readonly version: number;
  readonly checkpoints: readonly FlowDocument[];
  /** A change of another client. */
  change(edits: readonly Edit[]): void;
}

/** Keeps every state, so that `undo` goes back one. */
export function memoryCanvas(start: FlowDocument = emptyFlow()): MemoryCanvas {
  const states = [start];
  const checkpoints: FlowDocument[] = [];
  let version = 1;
  const flow = () => states.at(-1) as FlowDocument;
  const change = (edits: readonly Edit[]) => {
    states.push(applyEdits(flow(), edits).flow);
    version++;
  };
  const state = () => Promise.resolve({ flow: flow(), version });
  return {
    get flow() {
      return flow();
    },
    get version() {
      return version;
    },
    checkpoints,
    change,
    read: state,
    async edit(_base, edits) {
      change(edits);
      return state();
    },
    async editExactly(base, edits) {
      if (base !== version) return undefined;
      change(edits);
      return state();
    },
    async undo() {
      if (states.length > 1) states.pop();
      version++;
      return state();
    },
    async checkpoint() {
      checkpoints.push(flow());
      return `point-${checkpoints.length}`;
    },
  };
}

/** A run that completes with this text; of this canvas, only while it has the version that the user allowed. For tests. */
export const instantRuns = (
  text: string,
  canvas?: Pick<MemoryCanvas, 'version'>,
): FlowRuns & { readonly started: (string | undefined)[] } => {
  const started: (string | undefined)[] = [];
  const metrics = { duration_seconds: 0.01, input_tokens: 0, output_tokens: 0, total_tokens: 0 };
  return {
    started,
    async start(message, version) {
      if (canvas !== undefined && canvas.version !== version) return undefined;
      started.push(message);
      return {
        id: `run-${started.length}`,
        ended: Promise.resolve({ status: 'completed', text, metrics }),
        cancel: () => undefined,
      };
    },
    read: async () => undefined,
    latest: async () => undefined,
  };
};

/** A turn over these parts; the rest is empty. For tests. */
export function makeTurn(registry: Registry, parts: Partial<Turn> = {}): Turn {
  return {
    id: 'turn-1',
    sessionId: 'agentic_test',
    message: '',
    canvas: memoryCanvas(),
    registry,
    templates: [],
    models: createModels({ variables: {} }),
    runs: instantRuns('done'),
    history: [],
    ask: () => Promise.reject(new Error('no person')),
    secrets: new Set(),
    signal: new AbortController().signal,
    ...parts,
  };
}

/** All events of a turn. For tests. */
export async function eventsOf(turn: Turn): Promise<AssistantEvent[]> {
  const events: AssistantEvent[] = [];
  for await (const event of runTurn(turn)) events.push(event);
  return events;
}

/** The end of a turn with croft/offline, and how it came there. */
export interface OfflineTurn {
  readonly events: readonly AssistantEvent[];
  readonly end: Extract<AssistantEvent, { event: 'complete' }>['data'];
  /** Of the flow that it built last. */
  readonly built: readonly FlowNode[];
}

/** Runs a turn with croft/offline to its end; runs of its flows give "the result". Throws if the turn fails. For tests. */
export async function offlineTurn(
  registry: Registry,
  parts: Partial<Turn> & { readonly canvas: MemoryCanvas },
): Promise<OfflineTurn> {
  const model = { provider: 'croft', name: 'offline' } as const;
  const runs = instantRuns('the result', parts.canvas);
  const events = await eventsOf(makeTurn(registry, { model, runs, ask: async () => 'Run', ...parts }));
  const end = events.at(-1);
  if (end?.event !== 'complete') throw new Error(JSON.stringify(end));
  const last = events.findLast((each) => each.event === 'flow_update' && each.action === 'set_flow');
  return {
    events,
    end: end.data,
    built: last?.event === 'flow_update' && last.action === 'set_flow' ? last.flow.nodes : [],
  };
}

/** A call of a scripted model. */
export type ScriptedStep = string | { readonly tool: string; readonly args: Readonly<Record<string, unknown>> };

/**
 * Models of which the only one follows a script: each list is the steps of one request. A step is a text, or a call
 * whose result goes into `results`. For tests: the tool calls are real.
 */
export function scriptedModels(requests: readonly (readonly ScriptedStep[])[]): Models & {
  readonly results: unknown[];
  readonly prompts: string[];
} {
  const results: unknown[] = [];
  const prompts: string[] = [];
  let count = 0;
  return {
    results,
    prompts,
    providers: [],
    preferred: { provider: 'Scripted', name: 'script' },
    secrets: [],
    embed: () => Promise.reject(new Error('the script has no vectors')),
    async *stream(request) {
      const steps = requests[count++] ?? ['(end of the script)'];
      prompts.push(request.messages.map(({ text }) => text).join('\n---\n'));
      let text = '';
      for (const step of steps) {
        request.signal?.throwIfAborted();
        if (typeof step === 'string') {
          text += step;
          yield { kind: 'text', text: step };
          continue;
        }
        text = '';
        const id = `call-${results.length + 1}`;
        yield { kind: 'tool-call', id, name: step.tool, input: step.args };
        const tool = request.tools?.find(({ name }) => name === step.tool);
        const output = tool
          ? await tool.run(step.args, request.signal ?? new AbortController().signal)
          : 'Unknown tool';
        results.push(output);
        yield { kind: 'tool-result', id, name: step.tool, output, isError: false };
      }
      const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
      return { text, model: { provider: 'Scripted', name: 'script' }, usage, finish: 'stop' };
    },
  };
}

/** The definitions of tools as models and people read them: name, label and description, and a line for each parameter. For tests. */
export function shownTools(tools: readonly AssistantTool[]): string[] {
  return tools.flatMap(({ name, label, description, parameters, isCached, changesComponents, needs }) => {
    const { properties = {}, required = [], ...rest } = parameters as Record<string, any>;
    const args = Object.fromEntries(Object.keys(properties).map((each) => [each, each.toUpperCase()]));
    const flags = [isCached && 'cached', changesComponents && 'changes components', needs && `needs ${typeof needs}`];
    return [
      [name, label(args), ...flags.filter(Boolean), description, JSON.stringify(rest)].join(' | '),
      ...Object.entries<Record<string, unknown>>(properties).map(
        ([key, { description: about, ...form }]) =>
          `- ${key}${required.includes(key) ? '' : '?'}: ${JSON.stringify(form)} ${about}`,
      ),
    ];
  });
}
