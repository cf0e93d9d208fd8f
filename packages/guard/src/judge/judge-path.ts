import type { PathVerdict, RuleName } from '../decision.ts';
import type { Candidate } from './extract/findings.ts';
import type { Place, Spot } from './spot.ts';
import type { PathRules } from './protect.ts';
import { type Reading, readingsOf, shellReadingsOf } from './spellings.ts';

/** The result of judging one written path. */
export interface PathFinding {
  readonly verdict: PathVerdict;
  /** The reason why the path may not be written. */
  readonly problem?: { readonly rule: RuleName; readonly reason: string };
  /** The path relative to its root, if it is inside. */
  readonly path?: string;
  /** The further root that contains the path. */
  readonly further?: string;
}

/** The use that the call makes of the path. */
export interface PathUse {
  /** The call removes the file from this place. */
  readonly removes?: boolean;
  /** The call also writes the file. */
  readonly isWritten?: boolean;
  /** A shell has already processed quotes and escapes. */
  readonly isShell?: boolean;
  /** The virtual root directory that one tool's contract defines. */
  readonly virtualRoot?: string;
}

/** Characters that change the direction of text, so that a path is displayed as another one. */
const BIDI = /[\u202a-\u202e\u2066-\u2069]/;
const MAX_SHOWN = 200;

/** Judges one written path for writing: every reading of it must be inside. */
export function judgePath(
  candidate: Pick<Candidate, 'written' | 'weight' | 'role'>,
  place: Place,
  protect: PathRules,
  use: PathUse = {},
): PathFinding {
  const { written, weight, role } = candidate;
  const readings = (use.isShell ? shellReadingsOf : readingsOf)(written, {
    home: place.home,
    isWindows: place.isWindows,
  });
  const isCertain = weight === 'path';
  let inside: { readonly path: string; readonly further?: string } | undefined;
  if (use.virtualRoot !== undefined && readings.every((reading) => isBelow(reading.path, use.virtualRoot as string)))
    return { verdict: { written, read_as: shorten(written), inside: true } };
  let worst: PathFinding | undefined;
  for (const reading of readings) {
    const found = judgeReading(reading, place, weight, use.isShell === true);
    if (found === undefined) continue;
    if ('rule' in found) {
      if (found.rule === 'invalid-path' && (!isCertain || role === 'base')) continue;
      const finding = {
        verdict: { written, read_as: shorten(reading.shown), inside: false },
        problem: { rule: found.rule, reason: found.reason },
      };
      // Being outside takes precedence over every other problem of a path.
      if (found.rule === 'outside-path') return finding;
      worst ??= finding;
      continue;
    }
    inside ??= found;
    if (found.isRoot && use.removes && role === 'plain')
      worst ??= problemInside(written, '.', 'whole-root', wholeRoot(found.further));
    if (weight === 'guess' && /\s/.test(written.trim())) continue;
    const isOnlyRemoved = use.removes === true && use.isWritten !== true;
    if (found.isHardLinked && !use.removes && role !== 'base') worst ??= hardLinked(written, found.path);
    if (found.isHardLinked && use.removes && !isOnlyRemoved) worst ??= hardLinked(written, found.path);
    const glob = found.isPolicyFile
      ? 'the policy of the guard'
      : (protectedBy(protect, found.path, reading.path, use.removes ?? false) ??
        (role === 'base' ? undefined : protectedRepository(protect, found, isOnlyRemoved)));
    if (glob !== undefined)
      worst ??= problemInside(
        written,
        found.path,
        'protected-path',
        `is protected (${glob}): another program runs or obeys it`,
      );
  }
  if (worst !== undefined) return worst;
  return {
    verdict: { written, read_as: shorten(inside?.path ?? written), inside: true },
    path: inside?.path ?? written,
    ...(inside?.further !== undefined && { further: inside.further }),
  };
}

function hardLinked(written: string, path: string): PathFinding {
  return {
    verdict: { written, read_as: path, inside: false },
    problem: {
      rule: 'outside-path',
      reason: `Path '${shorten(written)}' is a file that has another name elsewhere (a hard link), and writing it would change that one`,
    },
  };
}

function wholeRoot(further: string | undefined): string {
  return further === undefined
    ? 'is the project directory itself'
    : `is the allowed directory '${shorten(further)}' itself`;
}

function problemInside(written: string, path: string, rule: RuleName, what: string): PathFinding {
  return {
    verdict: { written, read_as: path, inside: true },
    problem: { rule, reason: `Path '${shorten(written)}' ${what}` },
  };
}

function protectedBy(protect: PathRules, located: string, written: string, removes: boolean): string | undefined {
  if (protect.isEmpty) return undefined;
  const glob =
    protect.match(located) ?? (written.startsWith('/') || written === located ? undefined : protect.match(written));
  return glob ?? (removes ? protect.below(located) : undefined);
}

/**
 * A file `.git` names the directory of the repository, and with it another configuration and other hooks. A directory
 * laid out as a repository is one under any name.
 */
function protectedRepository(
  protect: PathRules,
  { path, further }: { readonly path: string; readonly further?: string },
  removes: boolean,
): string | undefined {
  if (protect.isEmpty) return undefined;
  const glob = protect.match(`${path}/config.worktree`);
  if (glob !== undefined || removes || protect.repositories === undefined) return glob;
  return protect.repositories.refuses(further === undefined ? path : `${further}/${path}`);
}

type ReadingVerdict =
  | { readonly rule: RuleName; readonly reason: string }
  | Omit<Extract<Spot, { kind: 'inside' }>, 'kind'>;

/** Judges one reading of a path; undefined if the reading does not apply. */
function judgeReading(
  reading: Reading,
  place: Place,
  weight: Candidate['weight'],
  isShell: boolean,
): ReadingVerdict | undefined {
  const { path, shown } = reading;
  const isCertain = weight === 'path' || isShell;
  if (reading.unresolvable !== undefined) {
    // Text that may not be a path counts only if it looks like one.
    if (!isCertain && /^[a-z][a-z0-9+.-]+:\/\//i.test(path)) return undefined;
    if (weight === 'guess' && (!/[\\/]/.test(path) || /\s/.test(path.trim()))) return undefined;
    return {
      rule: /drive|device|share|another user/.test(reading.unresolvable) ? 'outside-path' : 'unresolvable-path',
      reason: /drive|device|share|another user/.test(reading.unresolvable)
        ? outside(shown)
        : `Path '${shorten(shown)}' holds ${reading.unresolvable}, so it is not known where it leads`,
    };
  }
  if (path === '/dev/null') return undefined;
  if (weight === 'guess' && !/[\p{L}\p{N}]/u.test(path) && !/\.\./.test(path)) return undefined;
  if (reading.isAlias) {
    const top = path.split('/').find((part) => part !== '' && part !== '.');
    if (top === undefined || (top !== '..' && !place.hasTop(top))) return undefined;
  }
  const bad = whyInvalid(path, place.isWindows);
  // Report that a path is outside, even if it has other problems too.
  const spot = place.locate(path.replace(/\0/g, ''));
  if (spot.kind === 'outside') return { rule: 'outside-path', reason: outside(shown) };
  // Most clients strip blanks and quotes around a path; the rest is judged as a reading of its own.
  const bare = path.replace(/^[\s"'`]+|(?<![\s"'`])[\s"'`]+$/g, '');
  if (bare !== path && bare !== '' && (bad !== undefined || spot.kind === 'invalid')) return undefined;
  if (bad !== undefined) return { rule: 'invalid-path', reason: `Path '${shorten(shown)}' ${bad}` };
  if (spot.kind === 'invalid')
    return { rule: 'invalid-path', reason: `Path '${shorten(shown)}' cannot be used: ${shorten(spot.reason)}` };
  return spot;
}

function whyInvalid(path: string, isWindows: boolean): string | undefined {
  if (/[\x00-\x1f\x7f\u2028\u2029]/.test(path)) return 'holds control characters';
  if (BIDI.test(path)) return 'holds marks that turn the direction of its text';
  if ((isWindows ? path.replace(/^[A-Za-z]:(?=[\\/])/, '') : path).includes(':'))
    return 'holds a colon, which names a second stream of a file on Windows';
  return undefined;
}

function outside(shown: string): string {
  return `Path '${shorten(shown)}' is outside the project directory`;
}

function isBelow(path: string, root: string): boolean {
  return (path === root || path.startsWith(`${root}/`)) && !/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path);
}

/** A written path as messages show it: control and direction characters replaced, at most 200 characters. */
export function shorten(text: string): string {
  const plain = text.replace(/[\x00-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
  return plain.length > MAX_SHOWN ? `${plain.slice(0, MAX_SHOWN)}…` : plain;
}
