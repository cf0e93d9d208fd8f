import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../../packages/workspace/src/testing.ts';
import { hasContainer, withEntry, withoutEntry } from './yaml-config.ts';

const PLACE = { container: 'extensions', name: 'croft' };
const OURS = { cmd: 'croft', args: ['mcp', '/dir'], enabled: true };
const added = withEntry('# mine\nGOOSE_MODE: auto\n', PLACE, OURS);

describe('an entry of a YAML configuration', () => {
  it('is added beside what the user wrote, and once', () => {
    expect(added).toContain('# mine\nGOOSE_MODE: auto\n');
    expect(added).toContain('extensions:\n  croft:\n    cmd: croft\n');
    expect(withEntry(added, PLACE, OURS)).toBe(added);
    expect(withEntry('', PLACE, OURS)).toMatch(/^extensions:\n {2}croft:/);
  });

  it('is removed, with the map of servers only where that came with it', () => {
    expect(withoutEntry(added, PLACE, true)).toBe('# mine\nGOOSE_MODE: auto\n');
    expect(withoutEntry(added, PLACE, false)).toContain('extensions: {}');
    const two = withEntry(added, { ...PLACE, name: 'other' }, OURS);
    expect(withoutEntry(two, PLACE, true)).toContain('other:');
    expect(withoutEntry('a: 1\n', PLACE, true)).toBe('a: 1\n');
  });

  it('of the user under the same name stays', () => {
    const text = 'extensions:\n  croft:\n    cmd: own-program\n';
    expect(refusalOf(() => withEntry(text, PLACE, OURS))).toBe(
      'has a server "croft" that croft setup did not write; choose another name with --name',
    );
    expect(refusalOf(() => withoutEntry(text, PLACE, true))).toBe(
      'has a server "croft" that croft setup did not write, so it stays',
    );
  });
});

it.each([
  ['a: [', /^does not parse: /],
  ['- a\n- b\n', /^does not hold a YAML mapping$/],
  ['extensions: text\n', /^holds something else than a mapping under "extensions"$/],
])('changes nothing in %j', (text, problem) => {
  expect(refusalOf(() => withEntry(text, PLACE, OURS))).toMatch(problem);
  expect(refusalOf(() => withoutEntry(text, PLACE, false))).toMatch(problem);
});

it('says whether the map of servers is there', () => {
  expect([hasContainer('a: 1', 'extensions'), hasContainer(added, 'extensions'), hasContainer('a: [', 'a')]).toEqual([
    false,
    true,
    undefined,
  ]);
});

const OWN = 'extensions:\n  croft:\n    cmd: croft\n    args:\n      - mcp\n      - /dir\n    enabled: true\n';

it.each([
  ['', OWN],
  ['extensions:\n', OWN],
  ['extensions: {}\n', 'extensions: { croft: { cmd: croft, args: [ mcp, /dir ], enabled: true } }\n'],
  [`a: "${'long words '.repeat(20)}"\n`, `a: "${'long words '.repeat(20)}"\n${OWN}`],
  [OWN.replace('/dir', '/old').replace('true', 'false\n    mine: 1'), `${OWN}    mine: 1\n`],
])('adds the entry to %j', (before, after) => {
  expect(withEntry(before, PLACE, OURS)).toBe(after);
});

it.each([
  [OWN, true, '{}\n'],
  [OWN, false, 'extensions: {}\n'],
  ['extensions:\n', true, 'extensions:\n'],
  ['# only\n', true, '# only\n'],
])('removes the entry from %j', (before, dropsContainer, after) => {
  expect(withoutEntry(before, PLACE, dropsContainer)).toBe(after);
});

it('names the place of an error of YAML', () => {
  expect(refusalOf(() => withEntry('a: 1\na: 2\n', PLACE, OURS))).toBe(
    'does not parse: Map keys must be unique at line 2, column 1; correct it and run croft setup again',
  );
});
