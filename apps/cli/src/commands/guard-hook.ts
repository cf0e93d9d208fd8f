import { isUtf8 } from 'node:buffer';
import { existsSync, fstatSync, readSync, statSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { isAbsolute, join } from 'node:path';
import {
  answerHook,
  appendDecision,
  type Decision,
  type HookAgent,
  type HookAnswer,
  type HookedCall,
  isUsableRoot,
  offNotice,
  openJudge,
  readJson,
  Stop,
} from '@croft/guard/judging';
import { croftBaseDir, osReason } from '@croft/workspace';
import { type GuardFlags, guardRoot, readGuardConfig } from '../compose/guard.ts';
import { printable, printableName } from '../render/printable.ts';
import { HOOK_TRIAL, recordHookCall } from '../compose/hook-calls.ts';
import { UsageError } from '../usage-error.ts';

/** Exit code that blocks the call in every agent, with standard error as the reason. Agents allow the call on other codes. */
const EXIT_BLOCK = 2;
const MAX_INPUT_BYTES = 256 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
const [STDIN, STDOUT, STDERR] = [0, 1, 2] as const;
const PASS: Decision = { decision: 'allow', reason: 'Not enforced.', rule: 'allowed', paths: [], accepted: '' };

/** The variables in which each agent passes its project to hooks. Models cannot set them. */
const PROJECT_VARIABLES: Readonly<Record<HookAgent, readonly string[]>> = {
  'claude-code': ['CLAUDE_PROJECT_DIR'],
  cursor: ['CURSOR_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'],
  'gemini-cli': ['GEMINI_PROJECT_DIR'],
  'qwen-code': ['QWEN_PROJECT_DIR'],
  codex: [],
  opencode: [],
};

/** Flags of `croft guard hook`, as commander gives them. */
export interface HookFlags extends GuardFlags {
  /** The agent, if its messages do not name it. */
  readonly agent?: HookAgent;
}

/**
 * Reads one message of an agent's hook from standard input and answers on standard output. Every failure blocks the call with
 * exit code 2, because agents allow a call when the hook fails with another code. The launcher handles thrown errors.
 */
export function runGuardHook(flags: HookFlags): void {
  const { output, refusal } = answer(flags);
  if (refusal !== undefined) {
    say(STDERR, `${refusal}\n`);
    process.exitCode = EXIT_BLOCK;
  } else if (output !== undefined && (isNowhere(STDOUT) || !say(STDOUT, `${JSON.stringify(output)}\n`))) {
    // An agent that gets no answer allows the call.
    say(STDERR, 'croft guard: the answer could not be written, so the call is blocked\n');
    process.exitCode = EXIT_BLOCK;
  }
}

function answer(flags: HookFlags): HookAnswer {
  let unusable: UsageError | undefined;
  const judge = (message: HookedCall): Decision => {
    const call = flags.agent === undefined ? message : { ...message, agent: flags.agent };
    try {
      if (process.env[HOOK_TRIAL] !== 'hook') recordHookCall(croftBaseDir(), call.agent);
      return decide(call, flags);
    } catch (error) {
      if (error instanceof UsageError) unusable = error;
      throw error;
    }
  };
  try {
    const answered = answerHook(readJson(readInput()), judge);
    // A refusal goes to standard error, so that the user sees it too and not only the model.
    return unusable === undefined ? answered : { refusal: `croft: ${printable(unusable.message)}` };
  } catch (error) {
    const what = error instanceof Stop ? error.message : 'The message of the hook could not be read';
    return { refusal: `croft guard: ${what}, so the call is blocked` };
  }
}

function decide(call: HookedCall, flags: HookFlags): Decision {
  const stated = statedProject(call.agent);
  const dir = stated ?? process.cwd();
  const root = guardRoot(flags, false, dir) ?? (stated !== undefined && isUsableRoot(stated) ? stated : undefined);
  const config = readGuardConfig(flags, dir, process.env, root);
  // The hook runs on the agent's machine, so the policy's `remote` does not apply.
  const { judge, policy } = openJudge({ ...config.policy, remote: false }, root, call, call.cwd);
  try {
    if (!policy.enabled) {
      say(STDERR, `croft: ${offNotice(config) ?? 'the guard is off for this call: it passes'}\n`);
      return PASS;
    }
    const decision = judge.judge(call);
    record(decision, call, policy.mode, root);
    if (decision.decision === 'allow' || policy.mode === 'enforce') return decision;
    say(STDERR, `croft: dry run: would block ${printableName(call.name)}: ${printable(decision.reason)}\n`);
    return PASS;
  } finally {
    judge.close();
  }
}

/** Records a decision for the page, except in a trial. A write error does not change the decision. */
function record(decision: Decision, call: HookedCall, mode: 'enforce' | 'dry-run', root: string | undefined): void {
  if (process.env[HOOK_TRIAL]) return;
  const { name: tool, agent, model } = call;
  const dir = join(croftBaseDir(), 'guard');
  const error = appendDecision(dir, decision, { tool, wire: 'hook', agent, model, mode, root });
  if (error && process.env.CROFT_VERBOSE) say(STDERR, `croft: the decision is not kept: ${osReason(error)}\n`);
}

function statedProject(agent: HookAgent): string | undefined {
  return PROJECT_VARIABLES[agent]
    .map((name) => process.env[name])
    .find((dir) => dir !== undefined && isAbsolute(dir) && existsSync(dir));
}

/** Reads standard input to its end, synchronously: loading Node's streams takes longer than judging. */
function readInput(): string {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const count = readSome(chunk);
    if (count === 0) break;
    size += count;
    if (size > MAX_INPUT_BYTES) throw new Stop('too-large', 'The message of the hook is too long');
    chunks.push(chunk.subarray(0, count));
  }
  const bytes = Buffer.concat(chunks);
  if (!isUtf8(bytes)) throw new Stop('invalid-arguments', 'The message of the hook is not UTF-8');
  return bytes.toString('utf8');
}

function readSome(chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(STDIN, chunk);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0;
      // The agent made the pipe non-blocking.
      if (code !== 'EAGAIN') throw error;
      nap();
    }
  }
}

/** Whether a descriptor was closed at the start: Node then opens the null device in its place. */
function isNowhere(descriptor: number): boolean {
  try {
    const { rdev } = fstatSync(descriptor);
    return rdev !== 0 && rdev === statSync(devNull).rdev;
  } catch {
    return false;
  }
}

/** Writes a text synchronously. Returns false if not all of it was written. */
function say(descriptor: number, text: string): boolean {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return false;
      nap();
    }
  }
  return true;
}

function nap(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
}
