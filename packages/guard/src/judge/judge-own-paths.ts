import type { Policy } from '../policy/policy.ts';
import { readPatch } from './extract/patch.ts';
import type { Candidate, Findings } from './extract/findings.ts';
import { judgePath, type PathFinding, shorten } from './judge-path.ts';
import { allow, block, type Part, pathsPart, undecided, worst } from './part.ts';
import type { Place } from './spot.ts';
import type { PathRules } from './protect.ts';
import { deniedRead, type ReadRules } from './read-rules.ts';
import { Stop } from './stop.ts';
import type { ToolName } from './tool-kind.ts';
import { plainText } from './words.ts';

const MAX_JOINED = 10_000;
const MAX_TEXTS = 200;

/** Words in names of tools for which a text is a search text. */
const SEARCHING =
  /^(?:search|find|grep|query|lookup|match|analyze|analyse|explain|usages|references|ripgrep|rg|check|locate)$/;

/** The data that every part of a judge needs. */
export interface JudgeContext {
  readonly policy: Policy;
  readonly place: Place;
  readonly protect: PathRules;
  readonly denyRead: ReadRules;
  readonly hints: ReadonlySet<string>;
  readonly nameOf: (name: string) => ToolName;
}

/** Judges the paths in the arguments themselves. */
export function judgeOwnPaths(context: JudgeContext, found: Findings, name: ToolName): Part {
  const part = judgeCandidates(context, found, name);
  // A request to the web or to another agent is not an option of a program.
  if (found.undecidable === undefined || name.kind === 'none' || part.outcome === 'block') return part;
  return worst([part, undecided('undecidable-command', found.undecidable, part.paths)]);
}

function judgeCandidates(context: JudgeContext, found: Findings, name: ToolName): Part {
  const kind = ownKind(found, name);
  const { candidates } = found;
  if (kind === 'none' || kind === 'read') {
    const secret = candidates
      .filter((candidate) => candidate.weight !== 'guess' || kind === 'read')
      .map((candidate) => deniedRead(context.denyRead, candidate.written, context.place))
      .find(Boolean);
    if (secret) return block('denied-read', secret);
    // A tool that reads or fetches writes its result to an output path.
    const outputs = candidates.filter(
      (one) => isOutputOfReader(found, one, name) || (one.weight === 'path' && takesPicture(name)),
    );
    return outputs.length > 0
      ? pathsPart(outputs.map((one) => judgeOne(context, one, candidates, false)))
      : allow('The tool writes no files');
  }
  const removes = name.removes || found.operations.has('remove');
  if (kind === 'unknown') {
    const bad = candidates
      // A sentence can begin with a slash.
      .filter(
        (one) =>
          one.weight !== 'guess' ||
          (one.written.trim().split(/\s+/).length < 4 && !name.words.some((word) => NAMELESS.test(word))),
      )
      .map((one) =>
        judgeOne(context, { ...one, weight: one.weight === 'path' ? 'loose' : one.weight }, candidates, false),
      )
      .find((one) => one.problem);
    const hint = name.words.some((word) => ADDRESSED.test(word))
      ? '; if the paths of this tool are not files, name it in excluded_tools'
      : '';
    const put = putOutside(context, found, name);
    if (put.length > 0) return pathsPart(put);
    if (bad?.problem)
      return undecided('unknown-tool', `${bad.problem.reason}, and it is not known what this tool does${hint}`, [
        bad.verdict,
      ]);
    return allow('The tool is not known, and names no path outside the project directory');
  }
  if (found.odd !== undefined) return block('invalid-path', `A path must be text, not ${shorten(found.odd)}`);
  const hasPath = candidates.some((one) => one.role !== 'base' && one.weight === 'path' && one.written.trim() !== '');
  const judged = candidates
    .filter(
      (one) =>
        (one.written.trim() !== '' || (removes && one.role === 'plain')) &&
        !(hasPath && one.weight === 'loose' && one.written.includes('\n')),
    )
    .map((one) => judgeOne(context, one, candidates, removes, name));
  const part = pathsPart([...judged, ...joined(context, candidates)]);
  if (part.outcome === 'block') return part;
  const isFound = candidates.some(
    (one) => one.written.trim() !== '' && (one.weight !== 'guess' || /[\\/.]/.test(one.written)),
  );
  // The call changes the repository of the project.
  if (!isFound && name.program?.[0] === 'git' && removes === false) return part;
  // The tool only returns the picture unless it gets a path.
  if (!isFound && name?.words.at(-1) === 'screenshot') return part;
  if (isFound || found.calls.length > 0 || found.commands.length > 0) return part;
  const inTexts = pathsInTexts(context, found);
  // A text that may be a patch is also judged as one.
  return inTexts.outcome === 'block' || !found.patches.some((text) => readPatch(text).isPatch) ? inTexts : part;
}

/**
 * Paths outside that, by the argument's name, a tool of any kind writes (`save_to`) or probably writes (`to`,
 * `target`), and those that a tool named for writing has in a list of changes.
 */
function putOutside(context: JudgeContext, found: Findings, name: ToolName): PathFinding[] {
  const { candidates, outputs, changed } = found;
  const isLikely = (written: string): boolean => outputs.has(written) || (name.writes && changed.has(written));
  return candidates
    .filter(
      ({ written }) => outputs.get(written) === 'certain' || (isLikely(written) && isOnDisk(context, written, name)),
    )
    .map((one) => judgeOne(context, { ...one, weight: 'path' }, candidates, false))
    .filter(({ problem }) => problem?.rule === 'outside-path' || problem?.rule === 'protected-path');
}

/** Whether a text is more likely a file than a page, a person or an element of a page. */
function isOnDisk({ place }: JudgeContext, written: string, { words }: ToolName): boolean {
  if (words.some((word) => ADDRESSED.test(word))) return false;
  if (/^\s*file:/i.test(written)) return true;
  const [, top] = /^\/([^/]+)/.exec(plainText(written).trim()) ?? [];
  return top === undefined ? /^(?:~\/|\.\.[\\/]|[a-z]:[\\/])/i.test(written.trim()) : place.hasTop(top);
}

/** A path in a text argument, in a call that has no path elsewhere. */
function pathsInTexts(context: JudgeContext, found: Findings): Part {
  const judged = found.texts
    .slice(0, MAX_TEXTS)
    .map((text) => ({ first: firstLinePath(text, context.place), text }))
    .filter(
      ({ first, text }) =>
        first !== undefined || (text.length <= 4_096 && !text.includes('\n') && !text.startsWith('//')),
    )
    .map(({ first, text }) => ({
      isFirst: first !== undefined,
      isGiven: found.patches.includes(text),
      one: judgePath({ written: first ?? text, weight: 'guess', role: 'plain' }, context.place, context.protect),
    }));
  const bad = judged.find(
    ({ isFirst, one }) =>
      one.problem?.rule === 'outside-path' ||
      (isFirst && (one.problem?.rule === 'unresolvable-path' || one.problem?.rule === 'protected-path')),
  );
  if (bad !== undefined) return pathsPart([bad.one]);
  const first = judged.filter(({ isFirst, isGiven, one }) => isFirst && isGiven && one.problem === undefined);
  if (first.length > 0) return pathsPart(first.map(({ one }) => one));
  return undecided('no-path-found', 'No path was found in a call of a tool that writes files');
}

/**
 * Whether a tool that reads writes to this path. A name such as `target_directory` is a place to put the result only
 * for a tool that gets something from elsewhere; for one that lists or searches it is the place to read.
 */
function isOutputOfReader({ outputs }: Findings, { role, written }: Candidate, { kind, words }: ToolName): boolean {
  if (role !== 'output') return false;
  return kind !== 'read' || outputs.get(written) === 'certain' || !words.some((word) => LISTING.test(word));
}

/** Whether the tool takes a picture and writes it to the path, rather than reading it from there. */
function takesPicture({ words }: ToolName): boolean {
  return /^(?:get|take|capture|fetch|export)$/.test(words[0] ?? '') && words.at(-1) === 'screenshot';
}

/**
 * `"src/a.ts\nthe text"`: some tools take the first line as the path. A line with blanks counts only if its first
 * component exists.
 */
function firstLinePath(text: string, place: Place): string | undefined {
  const [line = '', next] = text
    .slice(0, 8_192)
    .trimStart()
    .split(/\r\n?|\n/, 2);
  const path = line.trim();
  if (next === undefined || !/[/\\~.]/.test(path) || /[<>*()'"`;#]/.test(path) || /^\/[/*]/.test(path))
    return undefined;
  if (!/\s/.test(path)) return /[{}]/.test(path) && !path.includes('${') ? undefined : path;
  const [, top] = /^\/([^/\s]+)\//.exec(path) ?? [];
  const isBegun = /^(?:~[/\\]|\.\.[/\\]|\$\{?\w+\}?[/\\]|[a-z]:[/\\])/i.test(path);
  return isBegun || (top !== undefined && place.hasTop(top)) ? path : undefined;
}

/** Words in names of tools that look at files in their place. */
const LISTING =
  /^(?:list|ls|dir|search|find|glob|grep|rg|ripgrep|view|show|tree|browse|inspect|count|explore|outline|cat|stat|exists)$/;
/** Words in names of tools whose paths are URL paths: `/users/1`. */
const ADDRESSED = /^(?:routes?|requests?|https?|pages?|api|rest|endpoints?|graphql|urls?|webhooks?|navigate|browser)$/;
/** Words in names of tools whose texts are not files: a text there that only looks like a path is not one. */
const NAMELESS =
  /^(?:entity|entities|relations?|observations?|issues?|comments?|labels?|milestones?|emails?|messages?|events?|calendar)$/;

function ownKind(found: Findings, name: ToolName): 'read' | 'write' | 'none' | 'unknown' {
  const { candidates, operations } = found;
  // `{"method": "DELETE", "path": "/users/1"}` does not name a file.
  const isAddress = name.words.some((word) => ADDRESSED.test(word)) && candidates.every((one) => one.role !== 'output');
  if (name.kind === 'unknown' && !found.hasBody && isAddress) return 'unknown';
  const places = candidates.filter((one) => one.weight === 'path' && one.role !== 'base');
  if (name.isEditor && !found.hasBody && operations.size === 1 && operations.has('read')) return 'read';
  if (name.kind === 'write') return 'write';
  if (name.kind === 'patch') return candidates.length > 0 ? 'write' : 'none';
  // A path with content to put there is a write, whatever the tool's name.
  if (places.length > 0 && (found.hasBody || operations.has('write') || operations.has('remove'))) return 'write';
  if (name.kind === 'read' && places.length > 0 && found.hasText && name.words.every((word) => !SEARCHING.test(word)))
    return 'write';
  if (name.kind === 'shell' || name.kind === 'code')
    return places.some((one) => one.role === 'output') ? 'read' : 'none';
  if (name.kind === 'unknown' && name.writes && places.some((one) => one.role === 'output')) return 'write';
  if (name.kind === 'dispatch') return found.calls.length > 0 ? 'read' : 'unknown';
  return name.kind;
}

function judgeOne(
  context: JudgeContext,
  one: Candidate,
  all: readonly Candidate[],
  removes: boolean,
  name?: ToolName,
): PathFinding {
  const isOnlyBase =
    one.role === 'base' && removes && all.every((other) => other.role === 'base' || other.weight === 'guess');
  const written = one.written.trim() === '' ? '.' : one.written;
  return judgePath(isOnlyBase ? { ...one, role: 'plain' } : { ...one, written }, context.place, context.protect, {
    removes,
    ...(name?.words.join('') === 'memory' ? { virtualRoot: '/memories' } : {}),
  });
}

/** Relative paths combined with a base directory in the same call: clients join the two. */
function joined(context: JudgeContext, candidates: readonly Candidate[]): PathFinding[] {
  const bases = candidates.filter((one) => one.role === 'base' && one.written.trim() !== '' && one.weight === 'path');
  if (bases.length === 0) return [];
  const others = candidates.filter((one) => one.role !== 'base' && !/^[/\\~]|^[a-z]:|\n/i.test(one.written));
  if (bases.length * others.length > MAX_JOINED)
    throw new Stop('too-large', 'The call names too many directories and paths to tell which belong together');
  return bases.flatMap((base) =>
    others.map((one) =>
      judgePath({ ...one, written: `${plainText(base.written)}/${one.written}` }, context.place, context.protect),
    ),
  );
}
