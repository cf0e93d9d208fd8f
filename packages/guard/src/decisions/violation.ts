import type { Decision } from '../decision.ts';
import { logText } from './log-text.ts';

/** A blocked call in the format of llm-interactive-proxy. */
export interface Violation {
  readonly should_swallow: true;
  readonly error_to_model: string;
  readonly metadata: {
    readonly decision: 'blocked';
    /** The path that decided, as the call wrote it; `null` if no path did. */
    readonly path: string | null;
    readonly project_root: string | null;
  };
}

/** The reaction to a call in the format of llm-interactive-proxy: a violation, or a call that passes. */
export type Reaction =
  | Violation
  | {
      readonly should_swallow: false;
      readonly metadata: {
        readonly decision: 'allowed';
        readonly path: string | null;
        readonly project_root: string | null;
      };
    };

/** Converts a decision to the JSON of llm-interactive-proxy, also one that allows the call. */
export function toReaction(decision: Decision, root: string | undefined): Reaction {
  return (
    toViolation(decision, root) ?? {
      should_swallow: false,
      metadata: { decision: 'allowed', path: decision.paths[0]?.written ?? null, project_root: root ?? null },
    }
  );
}

/**
 * Converts a decision to the JSON of llm-interactive-proxy, for programs that read it. Undefined for an allowed call.
 * For a path outside the project the sentence is that proxy's own; every other rule puts its reason into the same
 * frame.
 */
export function toViolation(decision: Decision, root: string | undefined): Violation | undefined {
  if (decision.decision !== 'block') return undefined;
  const path = decision.paths.find(({ inside }) => !inside)?.written ?? decision.paths[0]?.written;
  const isOutside = decision.rule === 'outside-path' && path !== undefined && root !== undefined;
  const problem = isOutside
    ? `Path '${logText(path)}' is outside project directory '${root}'`
    : logText(decision.reason, 800).replace(/[.\s]+$/, '');
  return {
    should_swallow: true,
    error_to_model: `File sandboxing violation: ${problem}. Operation blocked for security.`,
    metadata: { decision: 'blocked', path: path ?? null, project_root: root ?? null },
  };
}

/**
 * The lines that llm-interactive-proxy logs at its start. Without a root, one line that says there is none. The line
 * about the handler only if the guard is on.
 */
export function startLines(root: string | undefined, isOn: boolean): readonly string[] {
  if (root === undefined) return ['[WARNING] Project root not detected: no tool call will pass'];
  return [
    `[INFO] Project root detected: ${logText(root, 1_000)}`,
    ...(isOn ? [`[INFO] File sandboxing handler initialized with project root: ${logText(root, 1_000)}`] : []),
  ];
}

/** The line that llm-interactive-proxy logs for a blocked call, followed by the path, the rule and the agent. */
export function violationLine(tool: string, decision: Decision, agent?: string): string {
  const path = decision.paths.find(({ inside }) => !inside)?.written ?? decision.paths[0]?.written;
  const facts = [
    ...(path === undefined ? [] : [`path '${logText(path)}'`]),
    `rule ${decision.rule}`,
    ...(agent === undefined ? [] : [`agent ${logText(agent, 100)}`]),
  ];
  return `[INFO] File sandboxing violation detected for tool '${logText(tool, 100)}' (${facts.join(', ')})`;
}
