import fs, {
  appendFileSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  utimesSync,
  writeFileSync,
  type writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { versionOf } from '../text/version.ts';
import { failureOf, withReplaced } from '../testing.ts';
import { useWorkspaces } from '../use-workspaces.ts';

const open = useWorkspaces();

it('creates a missing file, and then adds to its end', () => {
  const { workspace, at } = open();
  const version = () => versionOf(statSync(at('log/a.txt')));
  const created = workspace.append('log/a.txt', 'one\n');
  const first = version();
  expect(created).toEqual({
    status: 'created',
    bytesWritten: 4,
    version: first,
    changes: [
      { kind: 'mkdir', path: 'log' },
      { kind: 'create', path: 'log/a.txt', after: first, bytes: 4 },
    ],
  });
  expect(workspace.append('log/a.txt', 'zwölf\n')).toEqual({
    status: 'updated',
    bytesWritten: 7,
    version: version(),
    changes: [{ kind: 'append', path: 'log/a.txt', before: first, after: version(), bytes: 7, length: 4 }],
  });
  expect(readFileSync(at('log/a.txt'), 'utf8')).toBe('one\nzwölf\n');
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

it('gives the version that the file has afterwards, which is newer also if the file has a time in the future', () => {
  const { workspace, at } = open(['f = one']);
  const { version } = workspace.append('f', ' two');
  expect(workspace.append('f', ' three', { expectedVersion: version })).toMatchObject({ status: 'updated' });
  const mtime = Math.floor(Date.now() / 1_000) + 3_600;
  utimesSync(at('f'), mtime + 60, mtime);
  const added = workspace.append('f', '!');
  const micros = mtime * 1e6 + 1;
  expect(added.version).toBe(`${micros.toString(36)}-${(14).toString(36)}-${statSync(at('f')).ino.toString(36)}`);
  expect([versionOf(statSync(at('f'))), statSync(at('f')).atimeMs]).toEqual([added.version, (mtime + 60) * 1_000]);
});

it('changes nothing if nothing is added', () => {
  const { workspace, at } = open(['f = one']);
  utimesSync(at('f'), 5, 5);
  const version = versionOf(statSync(at('f')));
  expect(workspace.append('f', '')).toEqual({ status: 'updated', version, changes: [], bytesWritten: 0 });
  expect(versionOf(statSync(at('f')))).toBe(version);
});

it('adds in the encoding of the file', () => {
  const { workspace, at } = open();
  const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();
  for (const [before, addition] of [
    [Buffer.from('\ufeffä', 'utf16le'), Buffer.from('ö', 'utf16le')],
    [bigEndian('\ufeffä'), bigEndian('ö')],
    [Buffer.from('\ufeffä'), Buffer.from('ö')],
    [Buffer.from('ä'), Buffer.from('ö')],
  ] as const) {
    writeFileSync(at('f'), before);
    expect(workspace.append('f', 'ö').bytesWritten).toBe(2);
    expect(readFileSync(at('f'))).toEqual(Buffer.concat([before, addition]));
  }
});

it('refuses an old version, a binary file, a second name and more than the limit, and changes nothing', async () => {
  const { workspace, at } = open(['f = one', 'twin = x', 'other == $ROOT/twin'], { limits: { maxFileBytes: 6 } });
  writeFileSync(at('binary'), Buffer.from([1, 0, 2]));
  writeFileSync(at('latin'), Buffer.from([0xe4, 0x62]));
  const refusal = async (path: string, content: string, options = {}) => {
    const { code, message } = await failureOf(() => workspace.append(path, content, options));
    return `${code}: ${message}`;
  };
  expect((await failureOf(() => workspace.append('f', '2', { expectedVersion: 'absent' }))).code).toBe('changed');
  expect((await failureOf(() => workspace.append('twin', '2'))).code).toBe('hard_linked');
  expect([await refusal('binary', '2'), await refusal('latin', '2'), await refusal('f', '4567')]).toEqual([
    'binary: Refusing to append to binary file: binary',
    'not_text: Refusing to change a file that is not UTF-8 or UTF-16 text: latin',
    'too_large: Resulting content size 7 would exceed limit of 6 bytes',
  ]);
  expect([readFileSync(at('f'), 'utf8'), readFileSync(at('twin'), 'utf8')]).toEqual(['one', 'x']);
  expect(workspace.append('f', '456').bytesWritten).toBe(3);
});

it('refuses in a workspace that is read-only or full', async () => {
  const readOnly = open(['f = one'], { readOnly: true });
  expect((await failureOf(() => readOnly.workspace.append('f', '2'))).code).toBe('read_only');
  const full = open(['f = one'], { quota: { maxBytes: 7 } });
  expect(full.workspace.append('f', '4').status).toBe('updated');
  expect((await failureOf(() => full.workspace.append('f', '5678'))).message).toBe(
    'Quota exceeded: 4 of 7 bytes are used and this needs 4 more. Delete files first.',
  );
  expect([readFileSync(readOnly.at('f'), 'utf8'), readFileSync(full.at('f'), 'utf8')]).toEqual(['one', 'one4']);
});

it('flushes the addition to the disk only where that is wanted', async () => {
  const flushes = async (durable: boolean) => {
    const { workspace } = open(['f = one'], { durable });
    let count = 0;
    await withReplaced(fs, { fsyncSync: () => void count++ }, () => workspace.append('f', '2'));
    return count;
  };
  expect([await flushes(false), await flushes(true)]).toEqual([0, 1]);
});

it('marks an addition to a file of a tool as of a tool, and an addition to a file of a person not', () => {
  // The trash knows a file by its time and size, so files of one moment have different sizes here.
  const { workspace, scratch } = open(['person = first'], ({ base }) => ({ trashDir: join(base, 'trash') }));
  const kept = (path: string) => {
    const before = new Set(readdirSync(scratch.base).includes('trash') ? readdirSync(join(scratch.base, 'trash')) : []);
    workspace.write(path, 'other');
    return readdirSync(join(scratch.base, 'trash'))
      .filter((name) => !before.has(name))
      .map((name) => name.endsWith('-w'));
  };
  workspace.write('tool', 'one');
  workspace.write('tool', 'two');
  for (const path of ['tool', 'person']) workspace.append(path, 'more');
  expect([kept('tool'), kept('person')]).toEqual([[true], [false]]);
});

it('writes the whole addition, in as many parts as the system takes', async () => {
  const { workspace, at } = open(['f = one']);
  const write = fs.writeSync;
  const writeByte = ((fd, bytes, offset) => write(fd, bytes as Buffer, offset, 1)) as typeof writeSync;
  await withReplaced(fs, { writeSync: writeByte }, () => workspace.append('f', ' two'));
  expect(readFileSync(at('f'), 'utf8')).toBe('one two');
});

it('takes a failed addition off, unless another program has added to the file since', async () => {
  const { workspace, at } = open(['f = one']);
  utimesSync(at('f'), 5, 5);
  const before = versionOf(statSync(at('f')));
  const write = fs.writeSync;
  const appendWith = (parts: number, meanwhile = () => {}) => {
    let done = 0;
    const writePart = ((fd, bytes, offset) => {
      if (done++ < parts) return write(fd, bytes as Buffer, offset, 2);
      meanwhile();
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', errno: -28 });
    }) as typeof writeSync;
    return withReplaced(fs, { writeSync: writePart }, () => failureOf(() => workspace.append('f', ' two')));
  };
  for (const parts of [0, 1]) {
    const failure = await appendWith(parts);
    expect([failure.code, failure.message]).toEqual(['io', 'Cannot write file: No space left on device']);
    expect([readFileSync(at('f'), 'utf8'), versionOf(statSync(at('f')))]).toEqual(['one', before]);
  }
  const other = await appendWith(0, () => appendFileSync(at('f'), '!'));
  expect([other.message, readFileSync(at('f'), 'utf8')]).toEqual([
    'Cannot write file: No space left on device',
    'one!',
  ]);
  const left = await appendWith(1, () => appendFileSync(at('f'), '!'));
  expect([left.code, left.message, readFileSync(at('f'), 'utf8')]).toEqual([
    'io',
    'Cannot write file: No space left on device. 2 of 4 bytes were added and stay, because another program has changed the file since',
    'one! t!',
  ]);
});
