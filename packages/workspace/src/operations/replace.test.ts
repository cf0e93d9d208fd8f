import fs, { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import type { Enclosure } from '../enclosure.ts';
import { WorkspaceError } from '../errors.ts';
import { locate } from '../resolve/locate.ts';
import type { ResolverKind } from '../resolve/root.ts';
import { codeOf, refusalOf, withReplaced } from '../testing.ts';
import { trashBeside, useEnclosures } from '../use-enclosures.ts';
import { Outdated } from './outdated.ts';
import { placeEntry, replaceFile } from './replace.ts';

const open = useEnclosures();

function setUp(lines: readonly string[], parts: Partial<Enclosure> = {}, resolver?: ResolverKind) {
  const { enclosure, at } = open(lines, (scratch) => ({ ...trashBeside()(scratch), ...parts }), resolver);
  const replace = (path: string, content: string, accept?: () => void) => {
    const found = locate(enclosure, path, { makeParents: true });
    try {
      return replaceFile(enclosure, found, Buffer.from(content), accept);
    } finally {
      found.close();
    }
  };
  const temps = () => readdirSync(at('.')).filter((name) => name.startsWith('.croft-tmp-'));
  return { enclosure, at, replace, temps };
}

describe.each<ResolverKind>(['openat2', 'portable'])('a replaced file, resolver %s', (resolver) => {
  it('has the new content and its old mode, without set-id bits', () => {
    const { at, replace, temps } = setUp(['f = old'], {}, resolver);
    chmodSync(at('f'), 0o4640);
    const { status } = replace('f', 'new');
    expect([status, readFileSync(at('f'), 'utf8'), statSync(at('f')).mode & 0o7777, temps()]).toEqual([
      'updated',
      'new',
      0o640,
      [],
    ]);
  });

  it('is created with its parents', () => {
    const { at, replace } = setUp([], {}, resolver);
    expect(replace('a/b/f', 'new').status).toBe('created');
    expect([readFileSync(at('a/b/f'), 'utf8'), statSync(at('a/b/f')).mode & 0o777]).toEqual(['new', 0o644]);
  });
});

describe('the room for a file', () => {
  /** A quota that notes what is reserved, and refuses more than it allows. */
  function quotaOf(allows: number) {
    const seen: string[] = [];
    const quota = {
      reserve(bytes: number, files: number) {
        if (bytes > allows) throw new WorkspaceError('quota', 'No room');
        seen.push(`${bytes} bytes, ${files} files`);
        return () => void seen.push('end');
      },
      changed: () => void seen.push('changed'),
    };
    return { quota, seen };
  }

  it('is reserved until the file has its place', () => {
    const { quota, seen } = quotaOf(100);
    const { replace } = setUp(['f = four'], { quota });
    replace('f', 'sevens!');
    replace('new', '12');
    expect(seen).toEqual(['3 bytes, 0 files', 'end', '2 bytes, 1 files', 'end']);
  });

  it('that is missing leaves nothing, also no parents', async () => {
    const { quota } = quotaOf(3);
    const { at, replace, temps } = setUp(['f = old'], { quota });
    expect(await codeOf(() => replace('a/b/f', 'text'))).toBe('quota');
    expect(await codeOf(() => replace('f', 'much more'))).toBe('quota');
    expect([existsSync(at('a')), readFileSync(at('f'), 'utf8'), temps()]).toEqual([false, 'old', []]);
  });
});

it('removes its temporary file and the new parents where it cannot take its place', () => {
  const { enclosure, at, temps } = setUp([]);
  const found = locate(enclosure, 'a/f', { makeParents: true });
  writeFileSync(at('a/f'), 'of another program');
  expect(() => replaceFile(enclosure, found, Buffer.from('x'))).toThrow(WorkspaceError);
  expect([readFileSync(at('a/f'), 'utf8'), temps()]).toEqual(['of another program', []]);
  found.close();
});

it('replaces a file that changed meanwhile only where that is accepted', () => {
  const { enclosure, at } = setUp(['f = old']);
  const found = locate(enclosure, 'f');
  writeFileSync(at('f'), 'changed');
  expect(() => replaceFile(enclosure, found, Buffer.from('new'))).toThrow(Outdated);
  replaceFile(enclosure, found, Buffer.from('new'), () => undefined);
  expect(readFileSync(at('f'), 'utf8')).toBe('new');
});

it('does not replace a file that may not be written, and asks only once for one that may', async () => {
  const { enclosure, at } = setUp(['f = old'], {}, 'openat2');
  const { native } = enclosure.root;
  if (!native) return;
  const denied = () => {
    throw Object.assign(new Error('EACCES'), { code: 'EACCES', errno: -13 });
  };
  const replaceWith = (answer: number) => {
    const root = { ...enclosure.root, dir: enclosure.root.dir, native: { ...native, mayWrite: () => answer } };
    const given = { ...enclosure, root };
    return withReplaced(fs, { accessSync: denied }, () =>
      refusalOf(() => replaceFile(given, locate(given, 'f'), Buffer.from('new'))),
    );
  };
  expect([await replaceWith(-13), readFileSync(at('f'), 'utf8')]).toEqual([
    'Cannot write file: Permission denied',
    'old',
  ]);
  expect([await replaceWith(0), readFileSync(at('f'), 'utf8')]).toEqual(['accepted', 'new']);
});

it('marks a new file as its own, and not one that it replaces', () => {
  const { enclosure, replace } = setUp(['f = old']);
  const mark = vi.spyOn(enclosure.trash as NonNullable<Enclosure['trash']>, 'markOwn');
  replace('f', 'new');
  expect(mark).not.toHaveBeenCalled();
  replace('g', 'new');
  expect(mark).toHaveBeenCalledOnce();
});

describe('an entry that is made beside its place', () => {
  it('has its name only when it is complete', () => {
    const { enclosure, at, temps } = setUp([]);
    const found = locate(enclosure, 'f');
    const { status } = placeEntry(enclosure, found, (temp) => {
      writeFileSync(temp, 'made');
      expect(existsSync(at('f'))).toBe(false);
      return lstatSync(temp);
    });
    expect([status, readFileSync(at('f'), 'utf8'), temps()]).toEqual(['created', 'made', []]);
  });

  it('leaves nothing where it cannot be made', () => {
    const { enclosure, at, temps } = setUp([]);
    const fill = (temp: string) => {
      writeFileSync(temp, 'half');
      throw new Error('failed');
    };
    expect(() => placeEntry(enclosure, locate(enclosure, 'f'), fill)).toThrow('failed');
    expect([existsSync(at('f')), temps()]).toEqual([false, []]);
  });
});
