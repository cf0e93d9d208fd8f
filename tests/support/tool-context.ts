import { builtinRegistry } from '@croft/components';
import { buildFromSpec, type FlowDocument } from '@croft/flow';
import type { AssistantEvent } from '../../packages/assistant/src/events.ts';
import { makeTurn, type MemoryCanvas, memoryCanvas } from '../../packages/assistant/src/testing.ts';
import type { AssistantTool, ToolContext, ToolData } from '../../packages/assistant/src/tools/assistant-tool.ts';
import type { Turn } from '../../packages/assistant/src/turn.ts';
import { openWorkingFlow } from '../../packages/assistant/src/working-flow.ts';

export const registry = builtinRegistry();

/** The flow of a text form. The ids are those of the text with `-1`. */
export function flowOf(spec: string): FlowDocument {
  const built = buildFromSpec(spec, registry, (_, id) => `${id}-1`);
  if ('error' in built) throw new Error(`${built.error} ${built.details}`);
  return built.flow;
}

/** A context over a canvas in memory, and what the tools did with it. */
export interface TestContext {
  readonly context: ToolContext;
  readonly canvas: MemoryCanvas;
  readonly events: AssistantEvent[];
  /** The questions to the user. */
  readonly asked: string[];
  /** Calls one of these tools. */
  call(tools: readonly AssistantTool[], name: string, args?: Record<string, unknown>): Promise<ToolData>;
}

/** Everything that a tool of one turn uses. `answer`: the choice of the user for each question. */
export async function toolContext(
  flow?: FlowDocument,
  {
    answer,
    turn: parts = {},
    ...more
  }: { answer?: string; turn?: Partial<Turn> } & Partial<Omit<ToolContext, 'turn'>> = {},
): Promise<TestContext> {
  const canvas = memoryCanvas(flow);
  const events: AssistantEvent[] = [];
  const asked: string[] = [];
  const turn = makeTurn(registry, {
    canvas,
    async ask({ text }) {
      asked.push(text);
      if (answer === undefined) throw new Error('no person');
      return answer;
    },
    ...parts,
  });
  const emit = (event: AssistantEvent) => void events.push(event);
  const { signal } = turn;
  const working = await openWorkingFlow({ canvas, registry, turnId: turn.id, signal, emit });
  const context: ToolContext = {
    turn,
    working,
    isEdit: false,
    asked: { change: true, remove: true, write: true, run: true, runWrites: true },
    named: turn.message,
    signal,
    notes: {
      deferred: false,
      proposedFields: new Map(),
      questions: 0,
      allowed: new Map(),
      ownFiles: new Set(),
      leftOut: [],
    },
    register: () => undefined,
    emit,
    ...more,
  };
  return {
    context,
    canvas,
    events,
    asked,
    async call(tools, name, args = {}) {
      const tool = tools.find((each) => each.name === name);
      if (tool === undefined) throw new Error(`no tool ${name}`);
      return tool.run(args, context);
    },
  };
}
