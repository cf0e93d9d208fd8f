import type { PathVerdict, RuleName } from '../decision.ts';
import type { PathFinding } from './judge-path.ts';

/** The verdict on one part of a call. The worst part decides the call. */
export type Part =
  | { readonly outcome: 'allow'; readonly reason: string; readonly paths: readonly PathVerdict[] }
  | {
      readonly outcome: 'undecided' | 'block';
      readonly rule: RuleName;
      readonly reason: string;
      readonly paths: readonly PathVerdict[];
    };

/** The part writes nothing forbidden. */
export const allow = (reason: string, paths: readonly PathVerdict[] = []): Part => ({
  outcome: 'allow',
  reason,
  paths,
});
/** The part is blocked in every mode. */
export const block = (rule: RuleName, reason: string, paths: readonly PathVerdict[] = []): Part => ({
  outcome: 'block',
  rule,
  reason,
  paths,
});
/** The mode decides about the part. */
export const undecided = (rule: RuleName, reason: string, paths: readonly PathVerdict[] = []): Part => ({
  outcome: 'undecided',
  rule,
  reason,
  paths,
});

/** The worst part, with the paths of all parts: a block before an undecided part, before an allowed one. */
export function worst(parts: readonly Part[]): Part {
  const chosen =
    parts.find((part) => part.outcome === 'block') ??
    parts.find((part) => part.outcome === 'undecided') ??
    parts.at(-1);
  const paths = parts.flatMap((part) => part.paths);
  return chosen === undefined
    ? allow('Nothing is written')
    : { ...chosen, paths: chosen.outcome === 'allow' ? paths : [...new Set([...chosen.paths, ...paths])] };
}

/** The verdict on the paths of one part. */
export function pathsPart(findings: readonly PathFinding[]): Part {
  const bad = findings.find((finding) => finding.problem);
  const paths = [...(bad ? [bad.verdict] : []), ...findings.filter((one) => one !== bad).map((one) => one.verdict)];
  if (bad?.problem) return block(bad.problem.rule, bad.problem.reason, paths);
  const roots = new Set(
    findings.map(({ further }) =>
      further === undefined ? 'the project directory' : `the allowed directory '${further}'`,
    ),
  );
  return allow(`Every path is inside ${[...roots].join(' or ') || 'the project directory'}`, paths);
}
