import type { PathVerdict, RuleName } from '../decision.ts';
import type { Policy } from '../policy/policy.ts';
import type { Place } from './spot.ts';

/** Temporary directories of the system. */
const TEMPORARY = /^(?:\/private)?\/(?:var\/)?tmp(?:\/|$)/;

function forTemporary({ privateTemporary, strict, remote }: Policy): string {
  if (privateTemporary !== undefined && !remote)
    return `For temporary files use ${privateTemporary}, for example TMPDIR=${privateTemporary} mktemp -d.`;
  const others = 'a person can allow the others with allowed_roots: ["/tmp"] in the configuration of the guard.';
  return strict || remote
    ? `For temporary files use mktemp -p .; ${others}`
    : `A temporary file must be a new one; ${others}`;
}

/** An alternative that the guard would accept, for the reason that the model gets. Empty if there is none. */
export function acceptedFor(
  rule: RuleName,
  policy: Policy,
  { root, temporary }: Place,
  paths: readonly PathVerdict[],
): string {
  switch (rule) {
    case 'no-project-root':
      return 'A person can make the directory a project, for example with git init (not in a home directory), or name one with --root.';
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
