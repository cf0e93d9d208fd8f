import type { ObservedCall } from '../../decision.ts';
import { Stop } from '../stop.ts';
import type { EditorOperation } from '../tool-kind.ts';
import type { KeyMeaning } from './argument-keys.ts';

/** A string that may be a path. */
export interface Candidate {
  readonly written: string;
  /** `path`: its argument holds paths. `loose`: its argument usually does. `guess`: it only looks like a path. */
  readonly weight: 'path' | 'loose' | 'guess';
  readonly role: 'plain' | 'base' | 'output';
}

/** Everything in a call's arguments that a judge checks, collected in one pass. */
export interface Findings {
  readonly candidates: readonly Candidate[];
  /** Values of arguments that hold patches or may hold them. */
  readonly patches: readonly string[];
  /** Values of arguments that hold command lines: one each, or a list of words. */
  readonly commands: readonly (string | readonly string[])[];
  /** Other calls inside the arguments. */
  readonly calls: readonly ObservedCall[];
  /** Candidates whose argument says that the tool writes there, and how certainly. */
  readonly outputs: ReadonlyMap<string, 'certain' | 'likely'>;
  /** Candidates inside a list of changes (`{"changes": [{"uri": …}]}`). */
  readonly changed: ReadonlySet<string>;
  /** The arguments contain text to write to a file. */
  readonly hasBody: boolean;
  /** The arguments contain text that may be file content. */
  readonly hasText: boolean;
  /** Values next to file names: contents for most tools, new names for one that renames. */
  readonly mapped: readonly string[];
  /** Words such as `create`, `view` and `delete` under keys such as `command` and `op`. */
  readonly operations: ReadonlySet<EditorOperation>;
  /** Long texts in arguments that do not hold paths: input of tools for code or patches. */
  readonly texts: readonly string[];
  /** Why the arguments may write something that no path in them names. */
  readonly undecidable: string | undefined;
  /** A path that is not a string (`{"path": 7}`): clients convert it differently. */
  readonly odd: string | undefined;
}

/** A call names few paths. More than this cannot be judged in acceptable time. */
const MAX_CANDIDATES = 4_000;

/** The findings while they are collected. */
export interface Found {
  readonly candidates: Map<string, Candidate>;
  readonly patches: string[];
  readonly commands: (string | readonly string[])[];
  readonly calls: ObservedCall[];
  readonly texts: string[];
  readonly mapped: string[];
  readonly outputs: Map<string, 'certain' | 'likely'>;
  readonly changed: Set<string>;
  hasBody: boolean;
  hasText: boolean;
  readonly operations: Set<EditorOperation>;
  odd: string | undefined;
  undecidable: string | undefined;
  readonly hints: ReadonlySet<string>;
}

/** The meaning that the keys around a value give it. */
export interface Spot {
  readonly meaning: KeyMeaning;
  /** The value is below a key that holds paths, but not directly. */
  readonly inherited: boolean;
  /** The key names several files: an object below it has file names as keys. */
  readonly isPlural?: boolean;
  /** The value is below a key that holds changes. */
  readonly isChange?: boolean;
}

/**
 * Adds a string that may be a path. A stronger weight replaces a weaker one.
 *
 * @throws Stop `too-large` for too many paths
 */
export function addCandidate(
  found: Found,
  written: string,
  weight: Candidate['weight'],
  role: Candidate['role'],
): void {
  const id = `${role}:${written}`;
  const before = found.candidates.get(id);
  if (before !== undefined && (before.weight === 'path' || weight === 'guess')) return;
  if (found.candidates.size >= MAX_CANDIDATES)
    throw new Stop('too-large', `The call names more than ${MAX_CANDIDATES} paths`);
  found.candidates.set(id, { written, weight, role });
}
