import { closeSync, openSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { failureOf } from '../testing.ts';
import { useWorkspaces } from '../use-workspaces.ts';

const open = useWorkspaces();

it('creates a missing file, and then adds to its end', () => {
  const { workspace, at } = open();
  expect(workspace.append('log/a.txt', 'one\n')).toMatchObject({ status: 'created', bytesWritten: 4 });
  expect(workspace.append('log/a.txt', 'two\n')).toMatchObject({ status: 'updated', bytesWritten: 4 });
  expect(readFileSync(at('log/a.txt'), 'utf8')).toBe('one\ntwo\n');
});

it('extends the file in place, so that a program which has it open sees the addition', () => {
  const { workspace, at } = open(['f = one']);
  const before = statSync(at('f')).ino;
  const reader = openSync(at('f'), 'r');
  workspace.append('f', ' two');
  const seen = Buffer.alloc(20);
  expect(seen.toString('utf8', 0, readSync(reader, seen, 0, 20, 0))).toBe('one two');
  closeSync(reader);
  expect(statSync(at('f')).ino).toBe(before);
});

it('gives the version that the file has afterwards', () => {
  const { workspace } = open(['f = one']);
  const { version } = workspace.append('f', ' two');
  expect(workspace.append('f', ' three', { expectedVersion: version })).toMatchObject({ status: 'updated' });
});

it('adds in the encoding of the file', () => {
  const { workspace, at } = open();
  const before = Buffer.from('\ufeffä', 'utf16le');
  writeFileSync(at('f'), before);
  workspace.append('f', 'ö');
  expect(readFileSync(at('f'))).toEqual(Buffer.concat([before, Buffer.from('ö', 'utf16le')]));
});

it('refuses an old version, a binary file, a second name and more than the limit, and changes nothing', async () => {
  const { workspace, at } = open(['f = one', 'twin = x', 'other == $ROOT/twin'], { limits: { maxFileBytes: 6 } });
  writeFileSync(at('binary'), Buffer.from([1, 0, 2]));
  expect((await failureOf(() => workspace.append('f', '2', { expectedVersion: 'absent' }))).code).toBe('changed');
  expect((await failureOf(() => workspace.append('binary', '2'))).code).toBe('binary');
  expect((await failureOf(() => workspace.append('twin', '2'))).code).toBe('hard_linked');
  expect((await failureOf(() => workspace.append('f', '4567'))).message).toBe(
    'Resulting content size 7 would exceed limit of 6 bytes',
  );
  expect([readFileSync(at('f'), 'utf8'), readFileSync(at('twin'), 'utf8')]).toEqual(['one', 'x']);
});
