import { NotYet, whenReady } from '@croft/workspace';
import type { z } from 'zod';
import type { Actor } from './activity/activity-entry.ts';
import type { Activity } from './activity/activity-log.ts';
import type { FinishedCall, PendingRecord } from './activity/pending-record.ts';
import { patternOf } from './activity/redact.ts';
import { refuseOversized } from './refuse-oversized.ts';
import { type AnyTool, type CallContext, type ToolCall, ToolError, type ToolResult } from './tool.ts';
import { codeOf, cancelled, toFailure } from './failure-result.ts';

/** The tools of one caller, and how to run them. */
export interface ToolTable {
  readonly tools: readonly AnyTool[];
  /** The log for calls; absent in tests, and if the host keeps its own log. */
  readonly activity?: Pick<Activity, 'begin'> | undefined;
  /** The caller, for the log. Default: a client over MCP without an account. */
  readonly actor?: Pick<Actor, 'userId' | 'via' | 'key'> | undefined;
  /** Deadline of one call in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number;
  /** Called for failures that no input explains, with cause and host paths, for the operator. */
  readonly onInternalError?: ((error: unknown, tool: string) => void) | undefined;
}

const DEFAULT_TIMEOUT_MS = 60_000;
/** The signal of a call that ended at once. The next call takes it: creating one is a tenth of a small call. */
let spareController: AbortController | undefined;

/**
 * Runs one tool call. Returns a promise only if the tool has to wait. Never throws or rejects: for an unknown tool, bad
 * arguments, a refusal, a deadline or a bug it returns a result with `ok: false`, a `code`, and an `error` that a model can act
 * on, without host paths or stacks.
 */
export function callTool(
  table: ToolTable,
  call: ToolCall,
  context: CallContext = {},
): ToolResult | Promise<ToolResult> {
  const tool = findTool(table, call.name);
  const running = new RunningCall(table, tool, call, context.caller);
  try {
    if (!tool) throw unknownTool(table, call.name);
    const refused = call.omittedBytes && refuseOversized(tool, call.omittedBytes);
    if (refused) return running.succeed(refused);
    const input = running.accept(parse(tool, call.input));
    if (context.signal?.aborted) throw cancelled();
    const ending = spareController ?? new AbortController();
    spareController = undefined;
    const inContext = { ...context, journal: running.journal(), signal: ending.signal };
    const result = startWhenReady(() => tool.run(input as never, inContext), inContext);
    if (!(result instanceof Promise)) {
      spareController = ending;
      return running.succeed(result);
    }
    return bounded(result, table.timeoutMs ?? DEFAULT_TIMEOUT_MS, context.signal, ending).then(
      (done) => running.succeed(done),
      (failure: unknown) => running.fail(failure),
    );
  } catch (failure) {
    return running.fail(failure);
  }
}

/** One running call, its result and its record. */
class RunningCall {
  readonly #table: ToolTable;
  readonly #tool: AnyTool | undefined;
  readonly #name: string;
  readonly #started = Date.now();
  readonly #caller: string | undefined;
  #input: unknown;
  #record: PendingRecord | undefined;

  constructor(table: ToolTable, tool: AnyTool | undefined, call: ToolCall, caller: string | undefined) {
    this.#table = table;
    this.#tool = tool;
    this.#name = call.name;
    this.#input = call.input;
    this.#caller = caller;
  }

  /** Stores the parsed arguments, from which the record takes its paths. */
  accept(input: unknown): unknown {
    this.#input = input;
    return input;
  }

  journal(): PendingRecord | undefined {
    try {
      this.#record ??= this.#begin();
    } catch (error) {
      report(this.#table, error, this.#name);
    }
    return this.#record;
  }

  #begin(): PendingRecord | undefined {
    return this.#table.activity?.begin({
      tool: this.#name,
      actor: { userId: null, via: 'mcp', ...this.#table.actor, client: this.#caller ?? null },
      started: this.#started,
      paths: () => pathsOf(this.#tool, this.#input),
      pattern: () => patternOf(this.#tool, this.#input),
    });
  }

  succeed(result: ToolResult): ToolResult {
    const { ok, code = 'refused', changes, bytes } = result;
    this.#finish({ outcome: ok ? 'ok' : code, changes, bytes });
    return result;
  }

  fail(failure: unknown): ToolResult {
    const code = codeOf(failure);
    const data = toFailure(this.#tool, failure, this.#input, (cause) => report(this.#table, cause, this.#name));
    this.#finish({ outcome: code });
    const text = this.#tool?.tags.includes('plain-text') ? { text: String(data.error) } : undefined;
    return { ok: false, code, data, ...text };
  }

  #finish(finished: FinishedCall): void {
    try {
      this.journal()?.finish(finished);
    } catch (error) {
      report(this.#table, error, this.#name);
    }
  }
}

function pathsOf(tool: AnyTool | undefined, input: unknown): readonly string[] {
  try {
    return (tool?.paths?.(input as never) ?? []).filter((path) => typeof path === 'string');
  } catch {
    // Refused arguments can have any shape.
    return [];
  }
}

/** Finds a tool by name. Searches a list, so `constructor` and `__proto__` are ordinary names. */
export function findTool(table: ToolTable, name: string): AnyTool | undefined {
  return table.tools.find((tool) => tool.name === name);
}

/** Starts a call. If it throws `NotYet`, starts it again when its precondition is ready. */
function startWhenReady(
  start: () => ToolResult | Promise<ToolResult>,
  context: { readonly signal: AbortSignal },
): ToolResult | Promise<ToolResult> {
  const again = (error: unknown): Promise<ToolResult> => {
    if (!(error instanceof NotYet)) throw error;
    return error.ready.then(() => whenReady(start, context.signal));
  };
  try {
    const running = start();
    return running instanceof Promise ? running.catch(again) : running;
  } catch (error) {
    return again(error);
  }
}

/** Reports to the host. Ignores errors of the host's own callback. */
function report(table: ToolTable, error: unknown, tool: string): void {
  try {
    table.onInternalError?.(error, tool);
  } catch {
    // An error of the reporting itself cannot be reported.
  }
}

function unknownTool(table: ToolTable, name: string): ToolError {
  const names = table.tools.map((tool) => tool.name).join(', ');
  return new ToolError('unknown_tool', `Unknown tool: ${String(name).slice(0, 100)}. Available tools: ${names}`);
}

function parse(tool: AnyTool, input: unknown): unknown {
  const given = input ?? {};
  const parsed = tool.input.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ToolError('invalid_arguments', tool.invalid?.(given) ?? describeIssues(tool, parsed.error));
}

function describeIssues(tool: AnyTool, error: z.ZodError): string {
  const issues = error.issues.slice(0, 5).map((issue) => {
    const where = issue.path.join('.');
    return where === '' ? issue.message : `${where}: ${issue.message}`;
  });
  const shape = (tool.input as { shape?: Record<string, unknown> }).shape;
  const accepted = shape ? ` Arguments of ${tool.name}: ${Object.keys(shape).join(', ')}.` : '';
  return `Invalid arguments: ${issues.join('; ')}.${accepted}`;
}

/** Ends a call at its deadline or cancellation: rejects at once and aborts the call's signal. */
async function bounded(
  running: Promise<ToolResult>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  ending: AbortController,
): Promise<ToolResult> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const ended = new Promise<never>((_, reject) => {
    const end = (why: ToolError): void => {
      reject(why);
      ending.abort();
    };
    timer = setTimeout(
      () => end(new ToolError('deadline', `The call took longer than ${timeoutMs / 1000} s and was given up`)),
      timeoutMs,
    );
    onAbort = () => end(cancelled());
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([running, ended]);
  } finally {
    clearTimeout(timer);
    if (onAbort) signal?.removeEventListener('abort', onAbort);
  }
}
