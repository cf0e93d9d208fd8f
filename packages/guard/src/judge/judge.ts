import type { Decision, ObservedCall, PathVerdict, RuleName } from '../decision.ts';
import type { Policy } from '../policy/policy.ts';
import { acceptedFor } from './accepted.ts';
import { BareRepositories } from './bare-repository.ts';
import { dialectsOf } from './dialect.ts';
import { hintSet } from './extract/argument-keys.ts';
import { readPatch } from './extract/patch.ts';
import { collectPaths } from './extract/paths.ts';
import { judgeShell, shellPart } from './judge-commands.ts';
import { type JudgeContext, judgeOwnPaths } from './judge-own-paths.ts';
import { judgePatches, judgePatchText } from './judge-patches.ts';
import { intoDirectories, withNewNames } from './new-names.ts';
import { allow, type Part, undecided, worst } from './part.ts';
import { openPlace } from './place.ts';
import { programCalls } from './program/program-calls.ts';
import { programLines } from './program-tools.ts';
import { type PathRules, pathRules } from './protect.ts';
import { MAX_ARGUMENT_CHARS, readArguments } from './read-arguments.ts';
import { readRules } from './read-rules.ts';
import type { Place } from './spot.ts';
import { Stop } from './stop.ts';
import { type ToolName, toolName } from './tool-kind.ts';

/** Judges calls by one policy, in one place. */
export interface Judge {
  /** Never throws: an exception blocks the call, with rule `failure`. */
  judge(call: ObservedCall): Decision;
  /** Closes the place that the judge was created with. */
  close(): void;
}

/** Depth limit for calls that carry other calls. */
const MAX_CALL_DEPTH = 8;

/** Limit of calls inside one call, over all depths. */
const MAX_CALLS = 1_000;

const MAX_PATHS_SHOWN = 100;

/** Tools whose text is surely a command: JavaScript that is one too hides nothing of it. */
const NAMED_SHELL = /bash|zsh|shell|pwsh|terminal|command|cmd|^sh$/;

const COMPUTED_CALLS =
  "The program computes which tools it calls, or with which arguments; only the agent's own hook (croft guard hook) sees these calls";

/**
 * Creates a judge. It prepares the policy once; a call then costs one walk over its arguments and one disk lookup for
 * each path.
 */
export function createJudge(policy: Policy, place: Place): Judge {
  const names = new Map<string, ToolName>();
  const context: JudgeContext = {
    policy,
    place,
    protect: withRepositories(pathRules(policy.protect, place.policyFiles), place),
    denyRead: readRules(policy.denyRead),
    hints: hintSet(policy.pathParameterNames),
    nameOf(name) {
      let known = names.get(name);
      if (known === undefined) {
        known = toolName(name, policy);
        // Models choose names, so the cache is bounded.
        if (names.size < 1_000 && name.length < 200) names.set(name, known);
      }
      return known;
    },
  };
  return {
    judge(call) {
      try {
        return decide(context, judgeCall(context, call, { depth: 0, budget: { left: MAX_CALLS } }));
      } catch (error) {
        if (error instanceof Stop) return blocked(context, error.rule, error.message, error.paths);
        return blocked(context, 'failure', 'The guard failed while it judged this call, so the call is blocked', []);
      }
    },
    close: () => place.close(),
  };
}

/** If git's own directory is protected, a directory laid out like it is protected too. */
function withRepositories(rules: PathRules, place: Place): PathRules {
  if (rules.match('.git/hooks/x') === undefined) return rules;
  return { ...rules, repositories: new BareRepositories(place) };
}

/** Judges one call and releases all resources. For libraries; a caller with many calls should keep a judge. */
export function judgeToolCall(call: ObservedCall, policy: Policy, root: string | undefined): Decision {
  let place: Place | undefined;
  try {
    place = openPlace(policy, root);
    return createJudge(policy, place).judge(call);
  } catch {
    return {
      decision: 'block',
      rule: 'no-project-root',
      reason: 'The project directory is missing or cannot be opened, so no tool call passes',
      paths: [],
      accepted: '',
    };
  } finally {
    place?.close();
  }
}

function decide(context: JudgeContext, part: Part): Decision {
  const paths = part.paths.slice(0, MAX_PATHS_SHOWN);
  if (part.outcome === 'allow') return { decision: 'allow', reason: part.reason, rule: 'allowed', paths, accepted: '' };
  if (part.outcome === 'block') return blocked(context, part.rule, part.reason, paths);
  if (context.policy.strict) return { ...blocked(context, part.rule, part.reason, paths), undecidable: true };
  return { decision: 'allow', reason: part.reason, rule: part.rule, paths, accepted: '', undecidable: true };
}

function blocked(
  { place, policy }: JudgeContext,
  rule: RuleName,
  reason: string,
  paths: readonly PathVerdict[],
): Decision {
  return {
    decision: 'block',
    reason,
    rule,
    paths: paths.slice(0, MAX_PATHS_SHOWN),
    accepted: acceptedFor(rule, policy, place, paths),
  };
}

/** The nesting depth of the current call, and the remaining budget of calls. */
interface Descent {
  readonly depth: number;
  readonly budget: { left: number };
}

function judgeCall(context: JudgeContext, call: ObservedCall, at: Descent): Part {
  const { policy, place } = context;
  if (!policy.enabled) return allow('The guard is switched off');
  if (at.depth > MAX_CALL_DEPTH || --at.budget.left < 0)
    throw new Stop('too-large', 'The call carries too many other calls');
  if (isExcluded(policy, call.name)) return allow('This tool is excluded from the guard by its configuration');
  if (place.root === undefined)
    throw new Stop('no-project-root', 'No project directory is known, so no tool call passes');
  const name = context.nameOf(call.name);
  if (call.isText && typeof call.arguments === 'string') return judgeText(context, call.arguments, name, at);
  const args = readArguments(call.arguments);
  const found = intoDirectories(withNewNames(collectPaths(args, context.hints), name), name, place);
  const parts = [
    ...found.calls.map((inner) => judgeCall(context, inner, deeper(at))),
    ...judgePatches(context, found, name),
    ...judgeShell(context, found, name, args),
  ];
  const own = judgeOwnPaths(context, found, name);
  // A part without paths does not describe what a command, a patch or an inner call writes. Put such parts first: the
  // reason of the last part is reported.
  const all = isSilent(own) ? [own, ...parts] : [...parts, own];
  return worst([...all.filter(isSilent), ...all.filter((part) => !isSilent(part))]);
}

const isSilent = (part: Part): boolean => part.outcome === 'allow' && part.paths.length === 0;

const deeper = ({ depth, budget }: Descent): Descent => ({ depth: depth + 1, budget });

function isExcluded(policy: Policy, name: string): boolean {
  return policy.excludedTools.some((pattern) => {
    pattern.lastIndex = 0;
    return pattern.test(name);
  });
}

/** Judges a tool's input that is plain text, not JSON. */
function judgeText(context: JudgeContext, text: string, name: ToolName, at: Descent): Part {
  if (text.length > MAX_ARGUMENT_CHARS) throw new Stop('too-large', 'The input is too long to be judged');
  const patch = readPatch(text);
  const parts: Part[] = [];
  if (name.program !== undefined && name.kind !== 'shell')
    parts.push(shellPart(context, programLines(name.program, text), [''], dialectsOf(name, undefined)));
  if (patch.isPatch || name.kind === 'patch') parts.push(...judgePatchText(context, text, name.kind === 'patch'));
  if (name.kind === 'shell') parts.push(judgeTyped(context, text, name, at));
  else if (name.kind === 'code')
    parts.push(undecided('undecidable-command', 'It is not known what a program given as text writes'));
  if (parts.length > 0) return worst(parts);
  const found = collectPaths(/^\s*[[{"]/.test(text) ? asJson(text) : { value: text }, context.hints);
  return worst([
    ...found.calls.map((inner) => judgeCall(context, inner, deeper(at))),
    ...judgePatches(context, found, name),
    ...judgeShell(context, found, name, undefined),
    judgeOwnPaths(context, found, name),
  ]);
}

/** Judges a text that a shell runs, or a JavaScript program that calls tools: some agents take one for a command. */
function judgeTyped(context: JudgeContext, text: string, name: ToolName, at: Descent): Part {
  const asCommand = shellPart(context, [text], [''], dialectsOf(name, undefined));
  const program = name.words.some((word) => NAMED_SHELL.test(word)) ? undefined : programCalls(text);
  if (program === undefined || asCommand.outcome === 'block') return asCommand;
  const parts = program.calls.map((inner) => judgeCall(context, inner, deeper(at)));
  if (program.isOpen) parts.push(undecided('undecidable-command', COMPUTED_CALLS));
  return worst(parts);
}

function asJson(text: string): unknown {
  try {
    return readArguments(text);
  } catch (error) {
    if (error instanceof Stop && error.rule === 'invalid-arguments') return { value: text };
    throw error;
  }
}
