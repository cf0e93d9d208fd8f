import { describe, expect, it } from 'vitest';
import { programLines, programOf } from './program-tools.ts';
import { wordsOf } from './words.ts';

describe('the program that a tool is named for', () => {
  it.each([
    ['git', '', 'git'],
    ['run_git', '', 'git'],
    ['git_clone', '', 'git clone'],
    ['git_clone_run', '', 'git clone'],
    ['git_a_b', '', 'git a b'],
    ['git_a_b_c', '', undefined],
    ['make', '', 'make'],
    ['make_it', '', undefined],
    ['clone_git', '', undefined],
    ['run', 'mcp npm', 'npm'],
    ['run', 'mcp make', 'make'],
    ['run', 'mcp files', undefined],
    ['run', '', undefined],
  ])('of %s after "%s" is %s', (name, before, program) => {
    const local = wordsOf(name);
    expect(programOf(local, [...wordsOf(before), ...local])?.join(' ')).toBe(program);
  });
});

describe('the command lines of the arguments', () => {
  const lines = (program: string, args: unknown) =>
    programLines(program.split(' '), args).map((line) => (typeof line === 'string' ? line : line.join('|')));

  it('append a text or a list to the program', () => {
    expect(lines('git', 'push -f')).toEqual(['git push -f']);
    expect(lines('git push', ['-f', 2, true])).toEqual(['git|push|-f|2']);
    expect(lines('git', null)).toEqual([]);
    expect(lines('git', 7)).toEqual([]);
  });

  it('are one for each argument, and one of all with the subcommand first', () => {
    expect(lines('git', { args: ['-f', 'x'], command: 'push' })).toEqual(['git|-f|x', 'git push', 'git|push|-f|x']);
    expect(lines('git', { args: ['-f'], command: 'git push' })).toEqual(['git|-f', 'git push', 'git|push|-f']);
    expect(lines('git', { command: 'gitk' })).toEqual(['git gitk']);
    expect(lines('git', { command: ' git push' })).toEqual([' git push']);
  });

  it('turn an object into options', () => {
    expect(
      lines('npm', { options: { prefix: '../x', f: 1, save_dev: true, '-g': true, no: false, nil: null } }),
    ).toEqual(['npm|--prefix|../x|-f|1|--save-dev|-g']);
    expect(lines('npm', { flags: { tag: ['a', 'b', {}] } })).toEqual(['npm|--tag|a|--tag|b']);
  });

  it('leave out what describes the call or names its place', () => {
    expect(lines('git', { description: '-f ../x', cwd: '/a', timeout: 5, message: '-m', path: '../x' })).toEqual([]);
    expect(lines('git', { args: '' })).toEqual([]);
  });

  it('take another argument only if it has an option or a path outside', () => {
    expect(lines('git', { extra: 'plain a/b words' })).toEqual([]);
    expect(lines('git', { extra: 'a --output=x', more: ['-o', 'y'] })).toEqual(['git|a|--output=x', 'git|-o|y']);
    expect(lines('git', { extra: '../x', more: '/etc', home: '~/x' })).toEqual(['git|../x', 'git|/etc', 'git|~/x']);
    expect(lines('git', { extra: ['a', 'b'] })).toEqual([]);
    expect(lines('git', { extra: `-o ${'x'.repeat(4_000)}` })).toEqual([]);
  });

  it('split a text as a shell does, with quotes removed', () => {
    expect(lines('git', { extra: `-m "a b" 'c d' e"f g"h` })).toEqual(['git|-m|a b|c d|ef gh']);
  });

  it('begin with the package for a program that runs packages', () => {
    expect(lines('npx', { package: 'rimraf', args: ['x'] })).toEqual(['npx|rimraf', 'npx|x', 'npx|rimraf|x']);
    expect(lines('npm', { package: 'rimraf', args: ['x'] })).toEqual(['npm|x']);
  });

  it('are one that cannot be parsed if there are more than 2,000 words', () => {
    expect(lines('git', { args: Array.from({ length: 2_001 }, () => 'a') })).toEqual(['git "']);
    expect(lines('git', { args: Array.from({ length: 2_000 }, () => 'a') })).toEqual([`git${'|a'.repeat(2_000)}`]);
  });
});
