import type { Change } from '@croft/workspace';
import { expect, it } from 'vitest';
import { contentSource } from './content-source.ts';

const wrote: Change = { kind: 'update', path: 'd/a', before: 'v0', after: 'v1', trash: 't0' };
const after = (...later: Change[]) => contentSource(wrote, [wrote, ...later], 1);
const edit: Change = { kind: 'update', path: 'd/a', before: 'v1', after: 'v2', trash: 't1' };

it('is the file itself if no later change touched it', () => {
  const others: Change[] = [
    { kind: 'update', path: 'd/b', trash: 't' },
    { kind: 'mkdir', path: 'd/a' },
    { kind: 'delete', path: 'd/a2' },
  ];
  expect(after(...others)).toEqual({ path: 'd/a', version: 'v1' });
});

it('is kept for the next change that replaced or deleted the file', () => {
  expect(after(edit, { ...edit, trash: 't2' })).toEqual({ kept: edit, path: 'd/a', version: 'v1' });
  const deletion: Change = { kind: 'delete', path: 'd/a', trash: 't1' };
  expect(after(deletion)).toEqual({ kept: deletion, path: 'd/a', version: 'v1' });
});

it('has an end before later additions, and the version of the last one', () => {
  const add = (length: number, version: string): Change => ({ kind: 'append', path: 'd/a', after: version, length });
  expect(after(add(5, 'v2'), add(9, 'v3'))).toEqual({ path: 'd/a', version: 'v3', length: 5 });
  const last: Change = { ...edit, before: 'v3' };
  expect(after(add(5, 'v2'), add(9, 'v3'), last)).toEqual({ kept: last, path: 'd/a', version: 'v3', length: 5 });
});

it('moves with its file and with the folders above it', () => {
  const moves: Change[] = [
    { kind: 'move', path: 'd', to: 'e/f' },
    { kind: 'move', path: 'e/f/a', to: 'b' },
    { kind: 'move', path: 'd/a', to: 'other' },
  ];
  expect(after(...moves)).toEqual({ path: 'b', version: 'v1' });
  const moved: Change = { kind: 'move', path: 'a', to: 'b', after: 'v1' };
  expect(contentSource(moved, [], 0)).toEqual({ path: 'b', version: 'v1' });
});

it('is unknown after the deletion of its folder, or when something new was created there', () => {
  expect(after({ kind: 'delete', path: 'd', trash: 't' })).toBeUndefined();
  expect(after({ kind: 'create', path: 'd/a', after: 'v9' })).toBeUndefined();
  expect(contentSource({ kind: 'create', path: 'd' }, [], 0)).toBeUndefined();
});
