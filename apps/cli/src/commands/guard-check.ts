import { isUtf8 } from 'node:buffer';
import { createInterface } from 'node:readline';
import {
  type Decision,
  type ObservedCall,
  offNotice,
  openJudge,
  type RuleName,
  readJson,
  Stop,
  toReaction,
} from '@croft/guard/judging';
import { type GuardFlags, guardRoot, readGuardConfig } from '../compose/guard.ts';
import { palette } from '../render/colours.ts';
import { renderDecision } from '../render/guard-decision.ts';
import { printableJson } from '../render/printable.ts';
import { UsageError } from '../usage-error.ts';

/** Flags of `croft guard check`. */
export interface CheckFlags extends GuardFlags {
  readonly lines?: boolean;
  readonly json?: boolean;
  /** Print the JSON of llm-interactive-proxy. */
  readonly reaction?: boolean;
  readonly agent?: string;
  readonly model?: string;
}

/** Largest input that is read as one call. The judge refuses far smaller ones. */
const MAX_INPUT_BYTES = 256 * 1024 * 1024;
const OFF: Decision = { decision: 'allow', reason: 'The guard is off.', rule: 'allowed', paths: [], accepted: '' };

/**
 * Judges the calls on standard input and prints a decision for each. Prints nothing to standard output before the
 * configuration was checked.
 *
 * @throws UsageError for an invalid configuration or input
 */
export async function runGuardCheck(flags: CheckFlags): Promise<void> {
  const config = readGuardConfig(flags, process.cwd(), process.env);
  const root = guardRoot(flags, config.policy.remote, process.cwd());
  const notice = offNotice(config);
  if (notice !== undefined) process.stderr.write(`croft: ${notice}\n`);
  const { judge, policy } = openJudge(config.policy, root, { agent: flags.agent, model: flags.model });
  if (policy.enabled && policy.mode === 'dry-run')
    process.stderr.write('croft: dry run: between an agent and a model, the guard lets every call pass\n');
  const decide = (call: ObservedCall): Decision => (policy.enabled ? judge.judge(call) : OFF);
  if (process.stdin.isTTY && process.stderr.isTTY)
    process.stderr.write('Reading calls from the keyboard, as {"name": …, "arguments": …}; Ctrl-D ends.\n');
  try {
    if (flags.lines) {
      for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }))
        if (line.trim() !== '') tell(judgeText(line, decide, blockedLine), flags, root);
    } else {
      tell(judgeText(await readInput(), decide), flags, root);
    }
  } finally {
    judge.close();
  }
}

class NotJson extends UsageError {}

interface Told {
  readonly name: string;
  readonly decision: Decision;
}

/** Judges one call. Blocks text that clients read differently. `otherwise` decides for text that is not a call; without it, throws. */
function judgeText(text: string, decide: (call: ObservedCall) => Decision, otherwise?: (reason: string) => Told): Told {
  try {
    const call = toCall(text);
    return { name: call.name, decision: decide(call) };
  } catch (error) {
    if (error instanceof Stop) return blocked(error.message, error.rule);
    // With --lines, the hint about --lines would be wrong.
    if (error instanceof NotJson && otherwise) return otherwise('Not valid JSON.');
    if (error instanceof UsageError && otherwise) return otherwise(error.message);
    throw error;
  }
}

/** Blocks a line that is not a call, so that the next line is judged. */
function blockedLine(reason: string): Told {
  return blocked(reason, 'invalid-arguments');
}

function blocked(reason: string, rule: RuleName): Told {
  const accepted = 'Give {"name": …, "arguments": …} as JSON.';
  return { name: '', decision: { decision: 'block', reason, rule, paths: [], accepted } };
}

function tell({ name, decision }: Told, { json, reaction }: CheckFlags, root: string | undefined): void {
  if (decision.decision === 'block') process.exitCode = 1;
  if (reaction) process.stdout.write(`${printableJson(toReaction(decision, root))}\n`);
  else if (process.stdout.isTTY && !json) process.stdout.write(renderDecision(name, decision, palette(process.stdout)));
  else process.stdout.write(`${printableJson(shown(decision))}\n`);
}

function shown({ decision, reason, rule, paths, accepted, undecidable }: Decision): object {
  return { decision, reason, rule, paths, accepted, ...(undecidable && { undecidable }) };
}

/** @throws Stop for text that clients read differently, UsageError for text that is not a call */
function toCall(text: string): ObservedCall {
  if (text.trim() === '') throw new UsageError('Nothing on standard input: give {"name": …, "arguments": …}');
  let value: unknown;
  try {
    value = readJson(text);
  } catch (error) {
    if (error instanceof Stop && error.rule !== 'invalid-arguments') throw error;
    throw new NotJson(
      'Not valid JSON. Give a call such as {"name": "bash", "arguments": {"command": "ls"}}; several, one a line, need --lines',
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError('A call is an object: {"name": …, "arguments": …}');
  const { name, arguments: given } = value as Record<string, unknown>;
  if (typeof name !== 'string' || name === '') throw new UsageError('A call needs a name: {"name": …, "arguments": …}');
  return { name, arguments: given };
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_INPUT_BYTES) throw new UsageError(`A call must be at most ${MAX_INPUT_BYTES} bytes long`);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (!isUtf8(bytes)) throw new UsageError('Standard input is not UTF-8');
  return bytes.toString('utf8');
}
