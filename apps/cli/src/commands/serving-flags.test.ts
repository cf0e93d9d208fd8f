import { Command } from 'commander';
import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import {
  addDirFlag,
  addServingFlags,
  directoriesOf,
  parseBytes,
  parseCount,
  type ServingFlags,
  toServingOptions,
} from './serving-flags.ts';

/** The flags that a command line gives. */
function parse(...args: string[]): ServingFlags {
  const command = addServingFlags(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  return command.parse(args, { from: 'user' }).opts();
}
const options = (...args: string[]) => toServingOptions(parse(...args), ['/d']);

describe('the options of a served directory', () => {
  it('are safe by default', () => {
    expect(options()).toEqual({
      dirs: ['/d'],
      toolset: 'full',
      readOnly: false,
      user: undefined,
      ignore: [],
      confirm: false,
      denyList: true,
      durable: false,
      quotaBytes: undefined,
      quotaFiles: undefined,
      trashBytes: undefined,
    });
    expect([parse().secondWall, parse().requireSandbox]).toEqual([true, undefined]);
  });

  it('are those of the flags', () => {
    const flags =
      '--read-only --toolset basic --user ann --ignore a --ignore b --confirm destructive --quota-bytes 2K --quota-files 3 --trash-bytes 1M --durable --deny .x --deny .y';
    expect(options(...flags.split(' '))).toEqual({
      dirs: ['/d'],
      toolset: 'basic',
      readOnly: true,
      user: 'ann',
      ignore: ['a', 'b'],
      confirm: true,
      denyList: ['.x', '.y'],
      durable: true,
      quotaBytes: 2_048,
      quotaFiles: 3,
      trashBytes: 1_048_576,
    });
    expect(options('--no-deny-list').denyList).toBe(false);
    expect(parse('--no-second-wall').secondWall).toBe(false);
  });

  it('do not contradict each other', () => {
    expect(() => options('--deny', 'x', '--no-deny-list')).toThrow(
      '--deny adds to the deny-list, which --no-deny-list switches off',
    );
    expect(() => options('--require-sandbox', '--no-second-wall')).toThrow(
      '--require-sandbox needs what --no-second-wall switches off',
    );
    expect(() => options('--require-sandbox')).not.toThrow();
    for (const wrong of [
      ['--toolset', 'none'],
      ['--confirm', 'all'],
      ['--quota-bytes', 'x'],
    ])
      expect(() => parse(...wrong)).toThrow();
  });
});

it('takes a wide directory only behind --dir', () => {
  const dir = testDir();
  expect(directoriesOf([dir], ['/'])).toEqual([dir, '/']);
  for (const wide of ['/', homedir()]) expect(() => directoriesOf([wide], [])).toThrow('Name the directory to serve');
  const command = addDirFlag(new Command()).parse(['--dir', '/', '--dir', 'b'], { from: 'user' });
  expect(command.opts()['dir']).toEqual(['/', 'b']);
});

it.each([
  ['500', 500],
  ['10K', 10_240],
  ['2m', 2_097_152],
  ['1G', 1_073_741_824],
])('reads %s as %d bytes', (text, bytes) => {
  expect(parseBytes(text)).toBe(bytes);
});

it.each(['', '-1', '1.5', '1T', 'K', '1 K'])('does not read %j as bytes', (text) => {
  expect(() => parseBytes(text)).toThrow('Give a number of bytes, e.g. 500M.');
});

it('reads counts', () => {
  expect([parseCount('0'), parseCount('12')]).toEqual([0, 12]);
  for (const text of ['', '-1', '1.5', 'x']) expect(() => parseCount(text)).toThrow('Give a whole number.');
});
