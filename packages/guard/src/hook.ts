import { isAbsolute } from 'node:path';
import type { Decision, ObservedCall } from './decision.ts';

/** The agents whose hooks are understood, as policies name them (`agents:`). */
export const HOOK_AGENTS = ['claude-code', 'codex', 'cursor', 'gemini-cli', 'opencode', 'qwen-code'] as const;
export type HookAgent = (typeof HOOK_AGENTS)[number];

/** A tool call as an agent's hook tells of it, with what the agent says about the place. */
export interface HookedCall extends ObservedCall {
  readonly agent: HookAgent;
  readonly model?: string;
  /** The working directory of the agent's session; relative paths are meant from here. */
  readonly cwd?: string;
}

/** What the hook's process has to do. */
export interface HookAnswer {
  /** To be written to standard output as JSON, with exit code 0; absent where the agent takes silence for "no opinion". */
  readonly output?: unknown;
  /** Nobody can be told in a format of his own: to be written to standard error, with exit code 2, which blocks everywhere. */
  readonly refusal?: string;
  /** What was decided, for a log. */
  readonly decision?: Decision;
}

/** Decides one call. What it throws blocks the call. */
export type HookJudge = (call: HookedCall) => Decision;

type Fields = Readonly<Record<string, unknown>>;

/** One format: how a call is read, and how a decision is said. */
interface HookFormat {
  readonly read: (input: Fields) => HookedCall;
  readonly deny: (reason: string) => unknown;
  /** What lets the call go on to the agent's own permission question, never past it. */
  readonly pass: unknown;
}

/**
 * Answers one pre-tool-use message of an agent's hook. Pure but for the judge. Never throws, and never answers what
 * would skip the agent's own permission question: a call that is allowed gets no opinion. Whatever is not understood,
 * and every exception, blocks. Formats:
 *
 * - Claude Code, and Codex which took it over: `PreToolUse` (code.claude.com/docs/en/hooks; openai/codex
 *   codex-rs/hooks, where a deny without a reason and an unknown field both count as a failed hook, which lets through)
 * - Gemini CLI: `BeforeTool` (google-gemini/gemini-cli docs/hooks/reference.md)
 * - Cursor: `preToolUse`, `beforeShellExecution`, `beforeMCPExecution`, `beforeReadFile` (cursor.com/docs/agent/hooks;
 *   it takes an empty answer for a failed hook, so passing is said with `permission: allow`, which its own permission
 *   check follows)
 * - Qwen Code: `PreToolUse` as Claude Code; its messages do not name it, so the caller has to
 * - opencode: `tool.execute.before`, from the plugin that croft setup guard writes, which stops the call for every answer
 *   but `decision: pass`
 */
export function answerHook(input: unknown, judge: HookJudge): HookAnswer {
  let format: HookFormat | undefined;
  try {
    if (!isFields(input)) return { refusal: 'croft guard: the hook got no JSON object, so the call is blocked' };
    const event = input.hook_event_name;
    format = typeof event === 'string' && Object.hasOwn(FORMATS, event) ? FORMATS[event] : undefined;
    if (format === undefined)
      return {
        refusal: `croft guard: ${typeof event === 'string' ? JSON.stringify(event.slice(0, 80)) : 'a message without hook_event_name'} is no event before a tool call, so it is blocked. Known are ${Object.keys(FORMATS).join(', ')}`,
      };
    const decision = judge(format.read(input));
    if (decision.decision === 'allow') return { output: format.pass, decision };
    return { output: format.deny(sayRefusal(decision)), decision };
  } catch (error) {
    const reason = `croft guard: the call could not be judged, so it is blocked${error instanceof Malformed ? `: ${error.message}` : ''}`;
    return format === undefined ? { refusal: reason } : { output: format.deny(reason) };
  }
}

/** The sentence a model reads: why not, and what instead. Never empty, because an agent lets an empty one through. */
export function sayRefusal({ reason, accepted }: Decision): string {
  const sentences = [reason.trim(), accepted.trim()].filter((part) => part !== '');
  return sentences.map((part) => (/[.!?…]$/.test(part) ? part : `${part}.`)).join(' ') || 'Blocked by croft guard.';
}

/** A message that is not as its agent documents it. Its text says nothing but which field. */
class Malformed extends Error {}

const denyAsClaude = (reason: string): unknown => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: reason,
  },
});
const denyAsCursor = (reason: string): unknown => ({
  permission: 'deny',
  user_message: reason,
  agent_message: reason,
});
const CURSOR = { deny: denyAsCursor, pass: { permission: 'allow' } };

const FORMATS: Readonly<Record<string, HookFormat>> = {
  PreToolUse: {
    // Only Codex numbers turns.
    read: (input) => (typeof input.turn_id === 'string' ? readCodexCall(input) : readCall(input, 'claude-code')),
    deny: denyAsClaude,
    pass: undefined,
  },
  BeforeTool: {
    read: (input) => readCall(input, 'gemini-cli'),
    deny: (reason) => ({ decision: 'deny', reason }),
    pass: {},
  },
  'tool.execute.before': {
    read: (input) => readCall(input, 'opencode'),
    deny: (reason) => ({ decision: 'deny', reason }),
    pass: { decision: 'pass' },
  },
  preToolUse: { ...CURSOR, read: (input) => readCall(input, 'cursor') },
  beforeMCPExecution: { ...CURSOR, read: (input) => readCall(input, 'cursor') },
  beforeShellExecution: {
    ...CURSOR,
    read: (input) => ({
      ...about(input, 'cursor'),
      name: 'Shell',
      arguments: { command: textOf(input, 'command') },
    }),
  },
  beforeReadFile: {
    ...CURSOR,
    read: (input) => ({
      ...about(input, 'cursor'),
      name: 'read_file',
      arguments: { path: textOf(input, 'file_path') },
    }),
  },
};

/** The events that are understood, for help and documentation. */
export const HOOK_EVENTS: readonly string[] = Object.keys(FORMATS);

function readCall(input: Fields, agent: HookAgent): HookedCall {
  const given = input.tool_input;
  // Cursor sends the arguments of MCP tools as JSON text: it travels on as text, for the judge reads strictly.
  if (!isFields(given) && !(agent === 'cursor' && typeof given === 'string'))
    throw new Malformed('tool_input is no object');
  return { ...about(input, agent), name: textOf(input, 'tool_name'), arguments: given };
}

/** Codex shows its hooks the body of a patch under the name it has for commands. */
function readCodexCall(input: Fields): HookedCall {
  const call = readCall(input, 'codex');
  const { command, ...rest } = call.arguments as Fields;
  return call.name === 'apply_patch' && typeof command === 'string'
    ? { ...call, arguments: { ...rest, input: command } }
    : call;
}

function about(input: Fields, agent: HookAgent): Omit<HookedCall, 'name' | 'arguments'> {
  const { model, cwd } = input;
  if (cwd !== undefined && cwd !== null && typeof cwd !== 'string') throw new Malformed('cwd is no text');
  // From where it is meant is not said, and paths judged from elsewhere would be other files.
  if (cwd && !isAbsolute(cwd)) throw new Malformed('cwd is not absolute');
  return {
    agent,
    ...(typeof model === 'string' && model !== '' && { model }),
    // Cursor has been seen to send an empty one.
    ...(cwd ? { cwd } : undefined),
  };
}

function textOf(input: Fields, field: string): string {
  const value = input[field];
  if (typeof value !== 'string' || value === '') throw new Malformed(`${field} is missing`);
  return value;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
