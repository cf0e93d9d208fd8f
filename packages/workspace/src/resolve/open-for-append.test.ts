import { closeSync, readdirSync, readFileSync, rmSync, symlinkSync, writeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeOf } from '../testing.ts';
import { useEnclosures } from '../use-enclosures.ts';
import { locate, type Located } from './locate.ts';
import { openForAppend } from './open-for-append.ts';
import type { ResolverKind } from './root.ts';

const open = useEnclosures();

describe.each<ResolverKind>(['openat2', 'portable'])('a file opened for appending, resolver %s', (resolver) => {
  it('is extended at its end', () => {
    const { enclosure, at } = open(['f = one'], {}, resolver);
    const fd = openForAppend(locate(enclosure, 'f'));
    writeSync(fd, ' two', 0);
    closeSync(fd);
    expect(readFileSync(at('f'), 'utf8')).toBe('one two');
  });

  it('is not one behind a link that has taken its name', () => {
    const { enclosure, scratch, at } = open(['f'], {}, resolver);
    const found = locate(enclosure, 'f');
    rmSync(at('f'));
    symlinkSync(`${scratch.outside}/secret.txt`, at('f'));
    expect(() => closeSync(openForAppend(found))).toThrow();
    expect(readFileSync(`${scratch.outside}/secret.txt`, 'utf8')).toBe('SECRET');
  });
});

it('leaves no descriptor but the one that it gives', async () => {
  const { enclosure } = open(['dir/', 'f']);
  const [file, dir] = ['f', 'dir'].map((name) => locate(enclosure, name, { leaf: 'keep' })) as [Located, Located];
  const count = () => readdirSync('/proc/self/fd').length;
  const before = count();
  closeSync(openForAppend(file));
  expect(() => openForAppend(dir)).toThrow();
  expect(count()).toBe(before);
  dir.close();
});

it('is never a directory or a link', async () => {
  const { enclosure } = open(['dir/', 'f', 'link => f']);
  for (const name of ['dir', 'link']) {
    const found = locate(enclosure, name, { leaf: 'keep' });
    expect(await codeOf(() => openForAppend(found)), name).toBe('not_regular');
    expect(() => openForAppend(found)).toThrow(`Not a regular file: ${name}`);
    found.close();
  }
});
