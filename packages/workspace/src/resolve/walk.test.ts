import fs, { mkdirSync, readdirSync, rmdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { WorkspaceError } from '../errors.ts';
import { failureOf, makeScratch, type Scratch, withReplaced } from '../testing.ts';
import { type Located, type LocateOptions, NothingThere } from './located.ts';
import { openRoot, type Root } from './root.ts';
import { Unsettled } from './settle.ts';
import { walk, type WalkRules } from './walk.ts';

let scratch: Scratch;
let root: Root;
let found: Located | undefined;

function setUp(lines: readonly string[]): void {
  scratch = makeScratch(lines);
  root = openRoot(scratch.workspace, 'walk');
}
afterEach(() => {
  found?.close();
  found = undefined;
  root.close();
  scratch.remove();
});

const RULES: WalkRules = { judge: () => undefined, requireMount: () => undefined, base: undefined };

function walkTo(written: string, options: LocateOptions, rules: WalkRules): Located | NothingThere {
  const parts = written.split('/').filter((part) => part !== '' && part !== '.');
  return walk({ written, root, parts }, options, rules);
}

/** Where a path leads, as components, and `+` if there is something. */
function ends(written: string, options: LocateOptions = {}, rules = RULES): string {
  found?.close();
  const end = walkTo(written, options, rules);
  if (end instanceof NothingThere) throw end.refusal();
  found = end;
  return `${found.parts.join('/')}${found.stat === undefined ? '' : '+'}`;
}

/** The code of the refusal. A link that was made just now may be changing, so the refusal comes as a signal. */
function refusal(written: string, options: LocateOptions = {}, rules = RULES): string {
  try {
    return ends(written, options, rules);
  } catch (error) {
    const refused = error instanceof Unsettled ? error.refusal : error;
    if (refused instanceof WorkspaceError) return refused.code;
    throw error;
  }
}

describe('a walk of a path', () => {
  it('pops a directory for each `..`, also of a path that ends in one', () => {
    setUp(['a/b/c.txt', 'd.txt']);
    expect(ends('a/b/../../d.txt')).toBe('d.txt+');
    expect(ends('a/b/..')).toBe('a+');
    expect(ends('a/..')).toBe('+');
    expect(ends('.')).toBe('+');
  });

  it('refuses a `..` above the root, from the path itself and from a link', () => {
    setUp(['a/up => ../..', 'a/b.txt']);
    expect(refusal('../x')).toBe('outside');
    expect(refusal('a/../../workspace/a/b.txt')).toBe('outside');
    expect(refusal('a/up/outside/secret.txt')).toBe('link_outside');
  });

  it('follows links that stay inside, relative and absolute ones', () => {
    setUp(['a/b.txt', 'c/near => ../a', 'c/far => $ROOT/a', 'c/deep => far']);
    for (const link of ['near', 'far', 'deep']) expect(ends(`c/${link}/b.txt`)).toBe('a/b.txt+');
  });

  it('refuses an absolute link to elsewhere, in the last place and on the way', () => {
    setUp(['out => $OUT', 'file => $OUT/secret.txt']);
    expect(refusal('out/secret.txt')).toBe('link_outside');
    expect(refusal('file')).toBe('link_outside');
    expect(ends('file', { leaf: 'keep' })).toBe('file+');
  });

  it('ends at a link in a directory where the link is kept', () => {
    setUp(['a/link => ../b', 'b/f', 'to-a => a']);
    for (const written of ['a/link', 'to-a/link']) expect(ends(written, { leaf: 'keep' }), written).toBe('a/link+');
    expect(ends('to-a/link/f', { leaf: 'keep' })).toBe('b/f+');
  });

  it('ends at forty links', () => {
    setUp(['a.txt']);
    for (let i = 0; i < 45; i++) symlinkSync(i === 0 ? 'a.txt' : `l${i - 1}`, join(scratch.workspace, `l${i}`));
    expect(ends('l39')).toBe('a.txt+');
    expect(refusal('l40')).toBe('io');
  });

  it('does not go through a file', () => {
    setUp(['a.txt']);
    expect(refusal('a.txt/b')).toBe('not_directory');
  });
});

describe('a walk to what is not there', () => {
  it('gives the one missing name, and refuses missing parents unless they may be made', () => {
    setUp(['a/']);
    expect(ends('a/new.txt')).toBe('a/new.txt');
    expect(refusal('a/x/y/new.txt')).toBe('not_found');
    expect(ends('a/x/../new.txt')).toBe('a/new.txt');
    expect(readdirSync(join(scratch.workspace, 'a'))).toEqual([]);
    expect(ends('a/x/y/new.txt', { makeParents: true })).toBe('a/x/y/new.txt');
    expect(found?.made.map(({ parts }) => parts.join('/'))).toEqual(['a/x', 'a/x/y']);
    found?.unmake();
    expect(readdirSync(join(scratch.workspace, 'a'))).toEqual([]);
  });

  it('answers where a path with missing parents would be, without an error', () => {
    setUp(['a/', 'near => a', 'gone => missing/dir']);
    const answers = ['a/x/y.txt', 'near/x/y.txt', 'gone/y.txt'].map((path) => walkTo(path, {}, RULES));
    expect(answers.map((answer) => answer.parts.join('/'))).toEqual(['a/x/y.txt', 'a/x/y.txt', 'missing/dir/y.txt']);
    for (const answer of answers) {
      expect(answer).toBeInstanceOf(NothingThere);
      expect(answer).not.toBeInstanceOf(Error);
    }
  });

  it('makes nothing at the target of a dangling link', () => {
    setUp(['gone => missing/dir', 'lost => nowhere']);
    expect(refusal('gone/new.txt', { makeParents: true })).toBe('not_found');
    expect(refusal('lost', { makeParents: true })).toBe('not_found');
    expect(readdirSync(scratch.workspace).sort()).toEqual(['gone', 'lost']);
  });

  it('asks the rules before it makes a directory, and removes what it made if a later one is refused', () => {
    setUp(['a/']);
    const asked: string[] = [];
    const judge = (parts: readonly string[]) => {
      asked.push(parts.join('/'));
      if (parts.includes('.ssh')) throw new WorkspaceError('denied', 'no');
    };
    expect(refusal('a/.ssh/deep/x', { makeParents: true }, { ...RULES, judge })).toBe('denied');
    expect(asked).toEqual(['a/.ssh/deep/x']);
    const requireMount = () => {
      throw new WorkspaceError('mounted', 'no');
    };
    expect(refusal('a/b/c/x', { makeParents: true }, { ...RULES, requireMount })).toBe('mounted');
    expect(readdirSync(join(scratch.workspace, 'a'))).toEqual([]);
  });

  it('says why a directory on the way cannot be made', async () => {
    setUp(['a/']);
    const cause = Object.assign(new Error('EROFS'), { code: 'EROFS', errno: -30 });
    const fail = () => {
      throw cause;
    };
    const failure = await withReplaced(fs, { mkdirSync: fail as unknown as typeof mkdirSync }, () =>
      failureOf(() => ends('a/x/f', { makeParents: true })),
    );
    expect([failure.code, failure.message, failure.cause]).toEqual([
      'io',
      'Cannot create parent directory: Read-only file system',
      cause,
    ]);
  });

  it('does not count a directory as its own that was there after all', () => {
    setUp(['a/']);
    const beforeMake = () => mkdirSync(join(scratch.workspace, 'a/x'), { recursive: true });
    expect(ends('a/x/y/z', { makeParents: true }, { ...RULES, beforeMake })).toBe('a/x/y/z');
    expect(found?.made.map(({ parts }) => parts.join('/'))).toEqual(['a/x/y']);
    rmdirSync(join(scratch.workspace, 'a/x/y'));
  });
});

it('says why a path cannot be walked, and follows 40 links at most', () => {
  setUp(['a.txt', 'l40 => a.txt', ...Array.from({ length: 40 }, (_, n) => `l${n} => l${n + 1}`)]);
  const message = (written: string) => {
    try {
      return ends(written);
    } catch (error) {
      return (error instanceof Unsettled ? error.refusal : (error as Error)).message;
    }
  };
  expect([message('a.txt/b'), message('a.txt/b/c'), message('l1'), message('l0'), message('../x')]).toEqual([
    'Not a directory: a.txt/b',
    'Not a directory: a.txt/b/c',
    'a.txt+',
    'Cannot use path: Too many symbolic links: l0',
    'Path escapes workspace boundary: ../x',
  ]);
});
