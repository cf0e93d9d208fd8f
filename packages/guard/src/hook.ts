import { isAbsolute } from 'node:path';
import type { Decision, ObservedCall } from './decision.ts';

/** The agents whose hooks are supported, by their names in policies (`agents:`). */
export const HOOK_AGENTS = ['claude-code', 'codex', 'cursor', 'gemini-cli', 'opencode', 'qwen-code'] as const;
export type HookAgent = (typeof HOOK_AGENTS)[number];

/** A tool call from an agent's hook, with the session's model and working directory. */
export interface HookedCall extends ObservedCall {
  readonly agent: HookAgent;
  readonly model?: string;
  /** The working directory of the agent's session: the base of relative paths. */
  readonly cwd?: string;
}

/** The instructions for the hook's process. */
export interface HookAnswer {
  /** JSON for standard output, with exit code 0; absent where the agent reads silence as "no opinion". */
  readonly output?: unknown;
  /** Text for standard error, with exit code 2, which blocks in every agent. Used if the agent's format is unknown. */
  readonly refusal?: string;
  /** The decision, for a log. */
  readonly decision?: Decision;
}

/** Decides one call. An exception blocks the call. */
export type HookJudge = (call: HookedCall) => Decision;

type Fields = Readonly<Record<string, unknown>>;

/** One hook format: how to read a call, and how to write a decision. */
interface HookFormat {
  readonly read: (input: Fields) => HookedCall;
  readonly deny: (reason: string) => unknown;
  /** The response that passes the call on to the agent's own permission question, and never skips it. */
  readonly pass: unknown;
}

/**
 * Answers one pre-tool-use message of an agent's hook. Has no side effects except those of the judge. Never throws.
 * Never returns a response that skips the agent's own permission question: an allowed call gets no opinion. An unknown
 * message and every exception block the call. Formats:
 *
 * - Claude Code, and Codex, which adopted it: `PreToolUse` (code.claude.com/docs/en/hooks; openai/codex codex-rs/hooks,
 *   where a deny without a reason and an unknown field both count as a failed hook, which allows the call)
 * - Gemini CLI: `BeforeTool` (google-gemini/gemini-cli docs/hooks/reference.md)
 * - Cursor: `preToolUse`, `beforeShellExecution`, `beforeMCPExecution`, `beforeReadFile` (cursor.com/docs/agent/hooks;
 *   it treats an empty response as a failed hook, so passing needs `permission: allow`, which its own permission check
 *   follows)
 * - Qwen Code: `PreToolUse` as Claude Code; its messages do not name it, so the caller has to
 * - opencode: `tool.execute.before`, from the plugin that `croft setup guard` writes, which stops the call for every
 *   response but `decision: pass`
 */
export function answerHook(input: unknown, judge: HookJudge): HookAnswer {
  let format: HookFormat | undefined;
  try {
    if (!isFields(input)) return { refusal: 'croft guard: the hook got no JSON object, so the call is blocked' };
    const event = input.hook_event_name;
    format = typeof event === 'string' && Object.hasOwn(FORMATS, event) ? FORMATS[event] : undefined;
    if (format === undefined)
      return {
        refusal: `croft guard: ${typeof event === 'string' ? JSON.stringify(event.slice(0, 80)) : 'a message without hook_event_name'} is not a supported event, so the call is blocked. Supported events: ${Object.keys(FORMATS).join(', ')}`,
      };
    const decision = judge(format.read(input));
    if (decision.decision === 'allow') return { output: format.pass, decision };
    return { output: format.deny(sayRefusal(decision)), decision };
  } catch (error) {
    const reason = `croft guard: the call could not be judged, so it is blocked${error instanceof Malformed ? `: ${error.message}` : ''}`;
    return format === undefined ? { refusal: reason } : { output: format.deny(reason) };
  }
}

/**
 * The sentence for the model: why the call was blocked, and what to do instead. Never empty, because an agent allows a
 * call that is denied without a reason.
 */
export function sayRefusal({ reason, accepted }: Decision): string {
  const sentences = [reason.trim(), accepted.trim()].filter((part) => part !== '');
  return sentences.map((part) => (/[.!?…]$/.test(part) ? part : `${part}.`)).join(' ') || 'Blocked by croft guard.';
}

/** A message that differs from its agent's documentation. The text names only the field. */
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
    // Only Codex sends a turn id.
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

/** The supported hook events, for help and documentation. */
export const HOOK_EVENTS: readonly string[] = Object.keys(FORMATS);

function readCall(input: Fields, agent: HookAgent): HookedCall {
  const given = input.tool_input;
  // Cursor sends the arguments of MCP tools as JSON text. Keep it as text: the judge parses it strictly.
  if (!isFields(given) && !(agent === 'cursor' && typeof given === 'string'))
    throw new Malformed('tool_input is not an object');
  return { ...about(input, agent), name: textOf(input, 'tool_name'), arguments: given };
}

/** Codex passes the body of a patch to its hooks as `command`. */
function readCodexCall(input: Fields): HookedCall {
  const call = readCall(input, 'codex');
  const { command, ...rest } = call.arguments as Fields;
  return call.name === 'apply_patch' && typeof command === 'string'
    ? { ...call, arguments: { ...rest, input: command } }
    : call;
}

function about(input: Fields, agent: HookAgent): Omit<HookedCall, 'name' | 'arguments'> {
  const { model, cwd } = input;
  if (cwd !== undefined && cwd !== null && typeof cwd !== 'string') throw new Malformed('cwd is not a string');
  // The message does not say what a relative cwd is relative to, and a wrong base would judge other files.
  if (cwd && !isAbsolute(cwd)) throw new Malformed('cwd is not absolute');
  return {
    agent,
    ...(typeof model === 'string' && model !== '' && { model }),
    // Cursor sometimes sends an empty string.
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
