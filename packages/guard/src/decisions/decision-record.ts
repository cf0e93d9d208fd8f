import type { Decision, PathVerdict, RuleName } from '../decision.ts';
import { logName, logText } from './log-text.ts';

/** Paths of one call that are kept. */
export const MAX_PATHS = 20;
const MAX_REASON_CHARS = 600;

/** One decision as it is kept: what was asked for and what became of it, never what the arguments held besides paths. */
export interface DecisionRecord {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  /** The door and protocol: `anthropic`, `mcp`, `hook` and so on. */
  readonly wire: string;
  readonly tool: string;
  /** What was decided. In a dry run a blocked call passed all the same. */
  readonly decision: 'allow' | 'block';
  readonly rule: string;
  readonly reason: string;
  readonly paths: readonly PathVerdict[];
  readonly undecidable?: boolean | undefined;
  readonly mode: 'enforce' | 'dry-run';
  readonly root?: string | undefined;
}

/** Whose call it was, and where it was seen. */
export interface DecisionContext {
  readonly tool: string;
  readonly wire: string;
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly mode: 'enforce' | 'dry-run';
  readonly root?: string | undefined;
}

/**
 * A decision as it is kept: cut, on one line, without what looks like a secret. Of the arguments nothing but paths, and
 * what the reason quotes.
 */
export function toRecord(
  { decision, rule, reason, paths, undecidable }: Decision,
  { tool, wire, agent, model, mode, root }: DecisionContext,
  id: string,
  at: number,
): DecisionRecord {
  // One shape for all of them, with what is not known left undefined: JSON leaves that out.
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
