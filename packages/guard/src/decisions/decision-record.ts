import type { Decision, PathVerdict, RuleName } from '../decision.ts';
import { logName, logText } from './log-text.ts';

/** Paths kept per call. */
export const MAX_PATHS = 20;
const MAX_REASON_CHARS = 600;

/** One decision as it is stored: the tool, its paths and the verdict. Arguments other than paths are never stored. */
export interface DecisionRecord {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  /** The entry point or protocol: `anthropic`, `mcp`, `hook` and so on. */
  readonly wire: string;
  readonly tool: string;
  /** The verdict. With `mode: dry-run` a blocked call passed anyway. */
  readonly decision: 'allow' | 'block';
  readonly rule: string;
  readonly reason: string;
  readonly paths: readonly PathVerdict[];
  readonly undecidable?: boolean | undefined;
  readonly mode: 'enforce' | 'dry-run';
  readonly root?: string | undefined;
}

/** The caller of the tool, and the entry point that saw the call. */
export interface DecisionContext {
  readonly tool: string;
  readonly wire: string;
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly mode: 'enforce' | 'dry-run';
  readonly root?: string | undefined;
}

/**
 * Builds the stored form of a decision: truncated, on one line, with likely secrets removed. Of the arguments it holds
 * only paths and what the reason quotes.
 */
export function toRecord(
  { decision, rule, reason, paths, undecidable }: Decision,
  { tool, wire, agent, model, mode, root }: DecisionContext,
  id: string,
  at: number,
): DecisionRecord {
  // All records have the same keys; JSON omits the undefined ones.
  return {
    id,
    time: new Date(at).toISOString(),
    agent: agent === undefined ? undefined : logName(agent, 100),
    model: model === undefined ? undefined : logName(model, 100),
    wire: logName(wire, 40),
    tool: logName(tool, 100),
    decision,
    rule: rule satisfies RuleName,
    reason: logText(reason, MAX_REASON_CHARS),
    paths: paths.slice(0, MAX_PATHS).map(({ written, read_as, inside }) => ({
      written: logText(written),
      read_as: logText(read_as),
      inside,
    })),
    undecidable: undecidable === true ? true : undefined,
    mode,
    root: root === undefined ? undefined : logName(root, 1_000),
  };
}
