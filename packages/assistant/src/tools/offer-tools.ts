import { FlowError } from '@croft/flow';
import { ModelError, type ModelTool } from '@croft/models';
import { hideSecrets } from '../hide-secrets.ts';
import { SecretRefused } from '../refuse-secrets.ts';
import { beyondCall } from '../draft/direct-call.ts';
import { ASK_TOOLS } from './ask-tools.ts';
import { type AssistantTool, failed, type ToolArguments, type ToolContext, type ToolData } from './assistant-tool.ts';
import { BUILD_TOOLS } from './build-tools.ts';
import { COMPONENT_TOOLS } from './component-tools.ts';
import { isAllowed, NOT_ALLOWED } from './consent.ts';
import { DISCOVERY_TOOLS } from './discovery-tools.ts';
import { EDIT_TOOLS } from './edit-tools.ts';
import { fileTools } from './file-tools.ts';
import { notUnderstood } from './offline-help.ts';
import { OFFLINE_TOOLS } from './offline-tools.ts';
import { READ_TOOLS } from './read-tools.ts';
import { RUN_TOOLS } from './run-tools.ts';
import type { CallResults } from '../outcome.ts';
import { createToolCache } from '../tool-cache.ts';

/** The tools of one turn as a model gets them, and what their calls show. */
export interface OfferedTools {
  readonly tools: readonly ModelTool[];
  /** Whether a call changed something, proposed something or answered a question about the flow. */
  hasActed(): boolean;
  results(): CallResults;
  readonly callCount: number;
}

/** The same call with the same result so often ends the turn: the model makes no progress. */
const MAX_REPEATS = 3;
const MAX_TEXT = 16_000;

/** Thrown into the turn's own signal where the model repeats itself. */
export class NoProgress extends Error {
  constructor(label: string) {
    super(`I stopped, because one step gave the same result ${MAX_REPEATS} times: ${label}.`);
    this.name = 'NoProgress';
  }
}

/** The tools of a turn. */
export const toolsOf = (turn: ToolContext['turn'], isOffline: boolean): readonly AssistantTool[] => [
  ...DISCOVERY_TOOLS,
  ...(isOffline ? OFFLINE_TOOLS : []),
  ...READ_TOOLS,
  ...BUILD_TOOLS,
  ...EDIT_TOOLS,
  ...(turn.components === undefined || isOffline ? [] : COMPONENT_TOOLS),
  ...RUN_TOOLS,
  ...ASK_TOOLS,
  ...fileTools(turn),
];

/** Prepares the tools for a model. A failure becomes a result with `error`, so that the model can go on. */
export function offerTools(
  context: ToolContext,
  options: { readonly isOffline: boolean; readonly halted: AbortSignal; stop(reason: Error): void },
): OfferedTools {
  const { isOffline } = options;
  const all = toolsOf(context.turn, isOffline);
  const cache = createToolCache();
  const repeats = new Map<string, number>();
  let hasActed = false;
  let callCount = 0;
  let done = 0;
  let endsInFailure = false;
  const call = async (tool: AssistantTool, args: ToolArguments): Promise<ToolData> => {
    context.signal.throwIfAborted();
    options.halted.throwIfAborted();
    callCount++;
    const label = hideSecrets(tool.label(args), context.turn.secrets).slice(0, 200);
    context.emit({ event: 'tool_start', tool: tool.name, label });
    let isHit = tool.isCached === true;
    const produce = async () => {
      isHit = false;
      const beyond = isOffline ? beyondCall(context.turn.message, tool.name, args) : [];
      if (beyond.length > 0) return notUnderstood(beyond, context);
      return (await isAllowed(tool, args, context)) ? tool.run(args, context) : NOT_ALLOWED;
    };
    let data: ToolData;
    try {
      data = await (tool.isCached === true ? cache.get(tool.name, args, produce) : produce());
    } catch (error) {
      if (context.signal.aborted) throw error;
      // A model that answers without the refused text has not done what the message asks for.
      if (error instanceof SecretRefused && !context.notes.leftOut.includes(error.part))
        context.notes.leftOut.push(error.part);
      data = failureOf(error);
    }
    const isOk = data['error'] === undefined;
    // The offline model repeats a result to the person.
    if (!isOk && isOffline) data = { summary: data['error'], ...data };
    if (isOk && tool.changesComponents === true) cache.clear();
    endsInFailure = !isOk || data['declined'] === true;
    const isStepOnly = (data['next'] !== undefined && data['summary'] === undefined) || tool.isCached === true;
    if (!endsInFailure && !isStepOnly) done++;
    if (isOk && tool.isCached !== true && !OFFLINE_TOOLS.includes(tool)) hasActed = true;
    context.emit({
      event: 'tool_end',
      tool: tool.name,
      ok: isOk,
      ...(isHit && { cached: true }),
      ...(!isOk && {
        error: hideSecrets(String(data['summary'] ?? data['error']), context.turn.secrets).slice(0, 500),
      }),
    });
    const news = context.working.takeNews();
    const { summary: _, ...forModel } = data;
    const shown = bounded(
      { ...(isOffline ? data : forModel), ...(news !== undefined && { canvas_changed: news }) },
      context.turn.secrets,
    );
    const key = JSON.stringify([tool.name, args, shown]);
    const count = (repeats.get(key) ?? 0) + 1;
    repeats.set(key, count);
    if (count >= MAX_REPEATS) options.stop(new NoProgress(label));
    return shown;
  };
  // A model may make several calls at once. One question waits at a time, and a call sees what the one before it did.
  let last: Promise<unknown> = Promise.resolve();
  const inOrder = (tool: AssistantTool, args: ToolArguments): Promise<ToolData> => {
    const done = last.then(() => call(tool, args));
    last = done.catch(() => undefined);
    return done;
  };
  return {
    tools: all.map((tool) => ({
      name: tool.name,
      description: tool.description,
      parameters: tool.parameters,
      run: (args) => inOrder(tool, args),
    })),
    hasActed: () => hasActed,
    results: () => ({ done, endsInFailure }),
    get callCount() {
      return callCount;
    },
  };
}

/** The text of a failure for a model. Only texts written for it are shown: others may name hosts and paths. */
function messageOf(error: unknown): string {
  if (error instanceof FlowError) return error.message;
  if (error instanceof ModelError) return `${error.message} ${error.fix}`;
  if (error instanceof Error && 'forModel' in error) return error.message;
  return UNEXPECTED;
}

const UNEXPECTED = 'The call failed unexpectedly. Nothing may have been changed; look before trying again.';
const UNEXPECTED_FOR_PERSON = 'This step failed unexpectedly. Look at the flow before you send the message again.';

/** A failure as a result: the text for a model, and that for a person where it is another one. */
function failureOf(error: unknown): ToolData {
  const text = messageOf(error);
  const forPerson = error instanceof Error && 'forPerson' in error ? error.forPerson : undefined;
  const summary = text === UNEXPECTED ? UNEXPECTED_FOR_PERSON : forPerson;
  return failed(text, summary === undefined ? {} : { summary });
}

/** A result without the user's secrets; long texts are cut. */
function bounded(data: ToolData, secrets: ReadonlySet<string>): ToolData {
  const read = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const text = hideSecrets(value, secrets);
      return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}… (${text.length - MAX_TEXT} more characters)` : text;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(read);
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, read(each)]));
  };
  return read(data) as ToolData;
}
