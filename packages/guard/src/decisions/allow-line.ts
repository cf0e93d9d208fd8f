import { homedir } from 'node:os';
import { dirname, isAbsolute, parse, resolve, sep } from 'node:path';
import { DEFAULT_DENY_READ, DEFAULT_PROTECT } from '../policy/default-patterns.ts';
import type { DecisionRecord } from './decision-record.ts';
import { pathRules } from '../judge/protect.ts';

/** The lines for `croft.config.yaml` that would allow a call like this one in this project. */
export interface AllowLine {
  /** Complete YAML: a person can copy it into an empty file or merge it by hand. */
  readonly yaml: string;
  /** A sentence that describes what the lines allow. */
  readonly says: string;
}

/** The settings in force that differ from the defaults, where known. */
export interface AllowedNow {
  readonly protect?: readonly string[];
  readonly denyRead?: readonly string[];
}

/**
 * Returns the configuration that would allow a blocked call, for a person to review. Croft never applies it. Returns
 * undefined if no configuration would help (unreadable arguments) or if it would open a whole disk or home directory.
 */
export function allowLine(record: DecisionRecord, now: AllowedNow = {}): AllowLine | undefined {
  const { decision, rule, root } = record;
  if (decision !== 'block' || root === undefined || root.includes('…') || root.includes('[redacted]')) return undefined;
  switch (rule) {
    case 'outside-path':
    case 'unknown-tool':
      return directoryLine(record, root);
    case 'protected-path':
      return globLine(record, root, 'protect', now.protect ?? DEFAULT_PROTECT, 'written');
    case 'denied-read':
      return globLine(record, root, 'deny_read', now.denyRead ?? DEFAULT_DENY_READ, 'read');
    default:
      return undefined;
  }
}

function directoryLine(record: DecisionRecord, root: string): AllowLine | undefined {
  const dirs = new Set<string>();
  for (const path of record.paths.filter(({ inside }) => !inside)) {
    const dir = directoryOf(path.read_as || path.written, root);
    // If one path cannot be allowed, the call stays blocked, so allowing the other paths would only weaken the policy.
    if (dir === undefined) return undefined;
    dirs.add(dir);
  }
  if (dirs.size === 0) return undefined;
  const list = [...dirs].sort();
  return {
    yaml: projectYaml(root, [`allowed_roots:`, ...list.map((dir) => `  - ${scalar(dir)}`)]),
    says: `Everything in ${list.join(', ')} (which must exist) may then be written, by every tool, from this project.`,
  };
}

/**
 * The directory in which the file would be written. Undefined if the path is uncertain or the directory is too broad to
 * allow.
 */
function directoryOf(written: string, root: string): string | undefined {
  if (
    written.includes('…') ||
    written.includes('[redacted]') ||
    /[$%\\\u0000]|\\u[0-9a-f]{4}|^[a-z][\w+.-]*:/i.test(written)
  )
    return undefined;
  const home = homedir();
  if (/^~(?!\/)/.test(written)) return undefined;
  const path = written.startsWith('~/') ? resolve(home, written.slice(2)) : resolve(root, written);
  if (!isAbsolute(path)) return undefined;
  const dir = written.endsWith('/') ? path : dirname(path);
  const isHomes = ['/home', '/Users'].some((homes) => dir === homes || dirname(dir) === homes);
  const isAbove = [home, root].some((place) => place === dir || place.startsWith(dir + sep));
  return dir === parse(dir).root || isHomes || isAbove ? undefined : dir;
}

/** The list of globs without those that blocked this call. It replaces the whole list, as a list in a policy does. */
function globLine(
  record: DecisionRecord,
  root: string,
  key: 'protect' | 'deny_read',
  globs: readonly string[],
  verb: 'written' | 'read',
): AllowLine | undefined {
  const paths = record.paths.map(({ read_as, written }) => read_as || written);
  const rest = globs.filter((glob) => {
    const rules = pathRules([glob]);
    return !paths.some((path) => rules.match(path) !== undefined || rules.below(path) !== undefined);
  });
  if (rest.length === globs.length) return undefined;
  const gone = globs.filter((glob) => !rest.includes(glob));
  const lines = rest.length === 0 ? [`${key}: []`] : [`${key}:`, ...rest.map((glob) => `  - ${scalar(glob)}`)];
  return {
    yaml: projectYaml(root, lines),
    says: `Files like ${gone.join(', ')} may then be ${verb}, by every tool, in this project. The rest of the list stays.`,
  };
}

function projectYaml(root: string, lines: readonly string[]): string {
  const inner = lines.map((line) => `      ${line}`).join('\n');
  return `sandboxing:\n  projects:\n    ${scalar(root)}:\n${inner}\n`;
}

/** A YAML scalar: plain if it is unambiguous, else in double quotes, whose escapes are the same as in JSON. */
function scalar(text: string): string {
  return /^[\w/][\w/.-]*$/.test(text) && /\//.test(text) ? text : JSON.stringify(text);
}
