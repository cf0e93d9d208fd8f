import type { Decision, ObservedCall, PathVerdict, RuleName } from '../decision.ts';
import { BareRepositories } from './bare-repository.ts';
import { programLines } from './program-tools.ts';
import { hintSet } from './extract/argument-keys.ts';
import { readPatch } from './extract/patch.ts';
import { type Candidate, collectPaths, type Findings } from './extract/paths.ts';
import { type Dialect, type Dialects, dialectsOf } from './dialect.ts';
import { type JudgeContext, judgeOwnPaths } from './judge-own-paths.ts';
import { judgePath, shorten } from './judge-path.ts';
import { judgeCommands, loadedVariables } from './judge-shell.ts';
import { allow, block, type Part, pathsPart, undecided, worst } from './part.ts';
import { openPlace } from './place.ts';
import type { Place } from './spot.ts';
import type { Policy } from '../policy/policy.ts';
import { type PathRules, pathRules } from './protect.ts';
import { MAX_ARGUMENT_CHARS, readArguments } from './read-arguments.ts';
import { deniedRead, readRules } from './read-rules.ts';
import { isPlainAnswer, shellTexts } from './shell-texts.ts';
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
/** Limit of combinations of directories and names in one call. */
const MAX_JOINED_NAMES = 10_000;

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

/** Temporary directories of the system. */
const TEMPORARY = /^(?:\/private)?\/(?:var\/)?tmp(?:\/|$)/;

function forTemporary({ privateTemporary, strict, remote }: Policy): string {
  if (privateTemporary !== undefined && !remote)
    return `For temporary files use ${privateTemporary}, for example TMPDIR=${privateTemporary} mktemp -d.`;
  const others = 'a person can allow the others with allowed_roots: ["/tmp"] in the configuration of the guard.';
  return strict || remote
    ? `For temporary files mktemp -p . does; ${others}`
    : `A temporary file must be a new one; ${others}`;
}

function acceptedFor(
  rule: RuleName,
  policy: Policy,
  { root, temporary }: Place,
  paths: readonly PathVerdict[],
): string {
  switch (rule) {
    case 'no-project-root':
      return 'Start the guard with the project directory (--root).';
    case 'invalid-arguments':
    case 'ambiguous-arguments':
      return 'Send the arguments as one JSON object without duplicate keys.';
    case 'too-large':
      return 'Split the call into smaller ones.';
    case 'undecidable-command':
      return 'Use plain commands whose files can be read from the command line, or a file tool with a path.';
    case 'protected-path':
      return 'Leave this file to a person, who can change it or allow it in the configuration of the guard.';
    case 'denied-read':
      return 'Work without this file; it holds secrets.';
    case 'whole-root':
      return 'Name the files or directories inside the project directory.';
    case 'failure':
      return '';
    default: {
      const use = `Use a path inside ${root ?? 'the project directory'}, such as src/x.ts, or a relative one.`;
      const isTemporary =
        rule === 'outside-path' &&
        paths.some(
          ({ inside, read_as: path }) => !inside && (TEMPORARY.test(path) || path.startsWith(`${temporary}/`)),
        );
      return isTemporary ? `${use} ${forTemporary(policy)}` : use;
    }
  }
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

/** `{"files": {"a.ts": "b.ts"}}` holds contents for a tool that writes, and new names for a tool that moves. */
function withNewNames(found: Findings, name: ToolName): Findings {
  if (
    found.mapped.length === 0 ||
    !name.words.some((word) => /^(?:move|rename|copy|mv|cp|link|symlink|relocate)$/.test(word))
  )
    return found;
  const names = found.mapped.map((written): Candidate => ({ written, weight: 'path', role: 'output' }));
  return { ...found, candidates: [...found.candidates, ...names] };
}

/** A tool that copies or moves into a directory creates a file of the old name there. */
function intoDirectories(found: Findings, name: ToolName, place: Place): Findings {
  if (!name.words.some((word) => /^(?:move|copy|mv|cp|link|symlink|relocate)$/.test(word))) return found;
  const paths = found.candidates.filter((one) => one.weight === 'path' && one.written.trim() !== '');
  const isDirectory = (path: string): boolean => /[\\/]$/.test(path) || (place.isDirectory?.(path) ?? true);
  const directories = paths.filter((one) => one.role !== 'base' && isDirectory(one.written));
  if (directories.length * paths.length > MAX_JOINED_NAMES)
    throw new Stop('too-large', 'The call names too many directories and paths to tell what appears where');
  const added = directories.flatMap((to) =>
    paths
      .filter((from) => from !== to)
      .map((from): Candidate => {
        const base =
          from.written
            .replace(/[\\/]+$/, '')
            .split(/[\\/]/)
            .at(-1) ?? '';
        return { written: `${to.written}/${base}`, weight: 'path', role: 'output' };
      }),
  );
  return added.length === 0 ? found : { ...found, candidates: [...found.candidates, ...added] };
}

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
  if (name.kind === 'shell') parts.push(shellPart(context, [text], [''], dialectsOf(name, undefined)));
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

function asJson(text: string): unknown {
  try {
    return readArguments(text);
  } catch (error) {
    if (error instanceof Stop && error.rule === 'invalid-arguments') return { value: text };
    throw error;
  }
}

function judgePatches(context: JudgeContext, found: Findings, name: ToolName): Part[] {
  const isPatchTool = name.kind === 'patch';
  const texts = isPatchTool ? [...found.patches, ...found.texts] : found.patches;
  const isMissing = isPatchTool && texts.length === 0 && found.candidates.length === 0;
  if (isMissing) return [undecided('no-path-found', 'No patch was found in a call of a tool that applies patches')];
  const hasPath = found.candidates.length > 0;
  return texts.flatMap((text) => judgePatchText(context, text, isPatchTool && !hasPath));
}

function judgePatchText(context: JudgeContext, text: string, needsPath: boolean): Part[] {
  const { paths, undecidable, isPatch } = readPatch(text);
  if (!isPatch || paths.length === 0)
    return needsPath ? [undecided('no-path-found', 'The patch names no file, so it is not known what it changes')] : [];
  const parts = [
    pathsPart(
      paths.map((written) => judgePath({ written, weight: 'path', role: 'plain' }, context.place, context.protect)),
    ),
  ];
  if (undecidable.length > 0) parts.push(block('unresolvable-path', undecidable[0] as string));
  return parts;
}

function judgeShell(context: JudgeContext, found: Findings, name: ToolName, args: unknown): Part[] {
  const isShell = name.kind === 'shell';
  if (name.kind === 'code')
    return [undecided('undecidable-command', 'It is not known what a program given as text writes')];
  // `{"command": "view", "path": …}` is a call of an editor.
  const isOperation = !isShell && found.operations.size > 0;
  const commands = [
    ...found.commands.filter(
      (command) => !(isOperation && typeof command === 'string' && /^[\w-]+$/.test(command.trim())),
    ),
    ...(isShell ? shellTexts(args, found.commands.length > 0) : []),
    ...(name.program === undefined ? [] : programLines(name.program, args)),
  ];
  if (commands.length === 0) return [];
  const bases = found.candidates.filter((candidate) => candidate.role === 'base' && candidate.weight !== 'guess');
  const cwds: string[] = [];
  for (const base of bases) {
    const at = judgePath(base, context.place, context.protect);
    if (at.problem) return [block(at.problem.rule, at.problem.reason, [at.verdict])];
    cwds.push(at.path === undefined || at.path === '.' ? '' : at.path);
  }
  const reason = loadedVariables(args);
  const parts = [shellPart(context, commands, cwds.length > 0 ? [...new Set(cwds)] : [''], dialectsOf(name, args))];
  if (reason !== undefined) parts.push(undecided('undecidable-command', reason));
  if (name.isInput && !commands.every(isPlainAnswer))
    parts.push(undecided('undecidable-command', 'It is not known which program reads this input'));
  return parts;
}

/** If several shells are possible, the call is judged by what each would write. */
function shellPart(
  context: JudgeContext,
  commands: readonly (string | readonly string[])[],
  cwds: readonly string[],
  { meant, orPosix }: Dialects,
): Part {
  const other = orPosix ? partIn(context, commands, cwds, 'posix') : undefined;
  if (other?.outcome === 'block') return other;
  return worst(meant.map((dialect) => partIn(context, commands, cwds, dialect)));
}

function partIn(
  context: JudgeContext,
  commands: readonly (string | readonly string[])[],
  cwds: readonly string[],
  dialect: Dialect,
): Part {
  const reading = judgeCommands(
    commands,
    cwds,
    context.place,
    context.protect,
    dialect === 'posix' ? undefined : dialect,
  );
  const written = pathsPart(reading.writes);
  if (written.outcome === 'block') return written;
  const secret = reading.reads.map((path) => deniedRead(context.denyRead, path, context.place)).find(Boolean);
  if (secret) return block('denied-read', secret);
  if (reading.undecidable.length > 0)
    return undecided(
      'undecidable-command',
      `It is not known what the command writes: ${shorten(reading.undecidable[0] as string)}`,
      written.paths,
    );
  return written.paths.length > 0 ? written : allow('The command writes nothing outside the project directory');
}
