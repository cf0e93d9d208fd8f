import type { Decision } from '../decision.ts';
import { logText } from './log-text.ts';

/** A blocked call in the form of the seed `file-access-sandboxing`. */
export interface Violation {
  readonly should_swallow: true;
  readonly error_to_model: string;
  readonly metadata: {
    readonly decision: 'blocked';
    /** The path that decided, as the call wrote it; `null` when no path did. */
    readonly path: string | null;
    readonly project_root: string | null;
  };
}

/**
 * A decision as the seed's JSON, for programs that read that. Undefined for what was allowed. The seed's sentence stands
 * where it is true (a path outside the project); every other rule says its own reason in the same frame.
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

/** The lines the seed's proxy writes when it starts. Without a root only the fact that there is none. */
export function startLines(root: string | undefined): readonly string[] {
  if (root === undefined) return ['[WARNING] Project root not detected: no tool call will pass'];
  return [
    `[INFO] Project root detected: ${logText(root, 1_000)}`,
    `[INFO] File sandboxing handler initialized with project root: ${logText(root, 1_000)}`,
  ];
}

/** The line the seed's proxy writes for a blocked call; behind it what decided, and who called. */
export function violationLine(tool: string, decision: Decision, agent?: string): string {
  const path = decision.paths.find(({ inside }) => !inside)?.written ?? decision.paths[0]?.written;
  const facts = [
    ...(path === undefined ? [] : [`path '${logText(path)}'`]),
    `rule ${decision.rule}`,
    ...(agent === undefined ? [] : [`agent ${logText(agent, 100)}`]),
  ];
  return `[INFO] File sandboxing violation detected for tool '${logText(tool, 100)}' (${facts.join(', ')})`;
}
