import { describe, expect, it } from 'vitest';
import type { PathVerdict, RuleName } from '../decision.ts';
import { defaultPolicy } from '../policy/default-policy.ts';
import type { Policy } from '../policy/policy.ts';
import { acceptedFor } from './accepted.ts';
import type { Place } from './spot.ts';

const PLACE = { root: '/project', temporary: '/var/folders/t' } as Place;
const accepted = (rule: RuleName, more: Partial<Policy> = {}, path?: string, inside = false) =>
  acceptedFor(
    rule,
    { ...defaultPolicy(), ...more },
    PLACE,
    path === undefined ? [] : [{ read_as: path, inside } as unknown as PathVerdict],
  );

describe('the alternative that a refusal names', () => {
  it.each([
    ['no-project-root', 'git init'],
    ['invalid-arguments', 'one JSON object'],
    ['ambiguous-arguments', 'without duplicate keys'],
    ['too-large', 'smaller'],
    ['undecidable-command', 'plain commands'],
    ['protected-path', 'to a person'],
    ['denied-read', 'without this file'],
    ['whole-root', 'Name the files'],
    ['unresolvable-path', 'inside /project'],
  ] as const)('of %s says: %s', (rule, text) => expect(accepted(rule)).toContain(text));

  it('is a whole sentence', () => {
    const rules: readonly RuleName[] = [
      'no-project-root',
      'invalid-arguments',
      'too-large',
      'undecidable-command',
      'protected-path',
      'denied-read',
      'whole-root',
    ];
    expect(rules.map((rule) => accepted(rule))).toEqual([
      'A person can make the directory a project, for example with git init (not in a home directory), or name one with --root.',
      'Send the arguments as one JSON object without duplicate keys.',
      'Split the call into smaller ones.',
      'Use plain commands whose files can be read from the command line, or a file tool with a path.',
      'Leave this file to a person, who can change it or allow it in the configuration of the guard.',
      'Work without this file; it holds secrets.',
      'Name the files or directories inside the project directory.',
    ]);
    expect(acceptedFor('outside-path', defaultPolicy(), { ...PLACE, root: undefined }, [])).toBe(
      'Use a path inside the project directory, such as src/x.ts, or a relative one.',
    );
  });

  it('names each way to write a temporary file', () => {
    const use = 'Use a path inside /project, such as src/x.ts, or a relative one. ';
    const others = 'a person can allow the others with allowed_roots: ["/tmp"] in the configuration of the guard.';
    const verdicts = [
      { read_as: 'src/a', inside: true },
      { read_as: '/tmp/x', inside: false },
    ] as unknown as PathVerdict[];
    const of = (more: Partial<Policy>) => acceptedFor('outside-path', { ...defaultPolicy(), ...more }, PLACE, verdicts);
    expect([of({}), of({ strict: true }), of({ privateTemporary: '/b' })]).toEqual([
      `${use}A temporary file must be a new one; ${others}`,
      `${use}For temporary files use mktemp -p .; ${others}`,
      `${use}For temporary files use /b, for example TMPDIR=/b mktemp -d.`,
    ]);
  });

  it('is empty for a failure', () => expect(accepted('failure')).toBe(''));

  it.each(['/tmp/x', '/var/tmp/x', '/private/tmp/x', '/tmp', '/var/folders/t/x'])(
    'of a temporary file outside says where one may be: %s',
    (path) => {
      expect(accepted('outside-path', {}, path)).toContain('must be a new one');
      expect(accepted('outside-path', { strict: true }, path)).toContain('mktemp -p .');
      expect(accepted('outside-path', { privateTemporary: '/base/tmp' }, path)).toContain('TMPDIR=/base/tmp');
      expect(accepted('outside-path', { privateTemporary: '/base/tmp', remote: true }, path)).toContain('mktemp -p .');
    },
  );

  it.each([
    ['outside-path', '/tmpfiles/x', false],
    ['outside-path', '/etc/x', false],
    ['outside-path', '/tmp/x', true],
    ['unresolvable-path', '/tmp/x', false],
  ] as const)('of %s at %s is a path inside alone', (rule, path, inside) =>
    expect(accepted(rule, {}, path, inside)).toBe('Use a path inside /project, such as src/x.ts, or a relative one.'),
  );
});
