import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type DecisionRecord, newDecisions, readDecisions } from '@croft/guard';
import { croftBaseDir, osReason } from '@croft/workspace';
import { parseTime, showTime } from '../local-time.ts';
import { palette } from '../render/colours.ts';
import { printableJson, printableName } from '../render/printable.ts';
import { UsageError } from '../usage-error.ts';

/** Flags of `croft guard log`. */
export interface GuardLogFlags {
  readonly follow?: boolean;
  readonly json?: boolean;
  readonly blocked?: boolean;
  readonly tool?: string;
  readonly since?: string;
  readonly limit: number;
}

const FOLLOW_MS = 300;

/**
 * Shows the decisions of all entry points of the guard, newest last.
 *
 * @throws UsageError for an invalid time and for an unreadable log
 */
export async function runGuardLog(flags: GuardLogFlags): Promise<void> {
  const dir = join(croftBaseDir(), 'guard');
  const from = flags.since === undefined ? undefined : parseTime(flags.since);
  const isAsked = (record: DecisionRecord): boolean =>
    (!flags.blocked || record.decision === 'block') &&
    (flags.tool === undefined || record.tool === flags.tool) &&
    (from === undefined || Date.parse(record.time) >= from);
  const fresh = flags.follow ? newDecisions(dir) : undefined;
  let all: readonly DecisionRecord[];
  try {
    all = readDecisions(dir);
  } catch (error) {
    throw new UsageError(`The decisions in ${dir} cannot be read: ${osReason(error)}`);
  }
  const chosen = all.filter(isAsked);
  const shown = flags.limit === 0 ? chosen : chosen.slice(-flags.limit);
  show(shown, flags);
  if (shown.length === 0 && !flags.json) process.stdout.write(`${nothing(all.length, dir, flags)}\n`);
  // Decisions written while the log was read are in both lists.
  const known = new Set(all.map(({ id }) => id));
  for (; fresh !== undefined; await wait(FOLLOW_MS))
    show(
      fresh().filter((one) => !known.has(one.id) && isAsked(one)),
      flags,
    );
}

function show(records: readonly DecisionRecord[], { json }: GuardLogFlags): void {
  const width = Math.max(4, ...records.map(({ tool }) => Math.min(30, tool.length)));
  for (const record of records)
    process.stdout.write(`${json ? printableJson(record) : renderDecision(record, width)}\n`);
}

/** Renders one decision as one line. */
export function renderDecision(record: DecisionRecord, toolWidth: number): string {
  const { dim, red, green, yellow } = palette(process.stdout);
  const { decision, mode, rule, undecidable, agent, paths } = record;
  const passed = decision === 'block' && mode === 'dry-run' ? yellow('dry run') : undefined;
  const outcome =
    passed ?? (decision === 'block' ? red('blocked') : undecidable ? yellow('allowed') : green('allowed'));
  const why = decision === 'block' || undecidable ? `${printableName(rule)}: ${printableName(record.reason)}` : '';
  const what = why || paths.map(({ written }) => printableName(written)).join(', ');
  const by = dim(`by ${printableName(agent ?? 'an agent')}, ${printableName(record.wire)}`);
  const time = dim(printableName(showTime(record.time)));
  return `${time}  ${outcome}  ${printableName(record.tool).padEnd(toolWidth)}  ${what}${what === '' ? '' : '  '}${by}`;
}

function nothing(count: number, dir: string, { follow }: GuardLogFlags): string {
  const waiting = follow ? ' Waiting for the next one; Ctrl-C ends this.' : '';
  if (count > 0) return `None of the ${count} decisions in ${printableName(dir)} matches.${waiting}`;
  return `The guard has decided nothing yet (${printableName(dir)}). croft guard hook, mcp and serve record their decisions there.${waiting}`;
}
