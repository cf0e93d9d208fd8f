import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { failureOf } from '../testing.ts';
import { versionOf } from '../text/version.ts';
import { openWorkspace } from '../workspace.ts';
import { useWorkspaces } from '../use-workspaces.ts';

const open = useWorkspaces();

it('moves a file and a directory to new names, making the directories above them', () => {
  const { workspace, at } = open(['f = one', 'dir/a = two']);
  const version = versionOf(statSync(at('f')));
  expect(workspace.move('f', 'new/place/g', { expectedVersion: version })).toEqual({
    changes: [
      { kind: 'mkdir', path: 'new' },
      { kind: 'mkdir', path: 'new/place' },
      { kind: 'move', path: 'f', to: 'new/place/g', before: version, after: version },
    ],
  });
  expect(workspace.move('./dir', 'other')).toEqual({ changes: [{ kind: 'move', path: 'dir', to: 'other' }] });
  expect(readFileSync(at('new/place/g'), 'utf8')).toBe('one');
  expect(readFileSync(at('other/a'), 'utf8')).toBe('two');
  expect([existsSync(at('f')), existsSync(at('dir'))]).toEqual([false, false]);
});

it('moves a link itself, and not the file that it leads to', () => {
  const { workspace, scratch, at } = open(['l => $OUT/secret.txt']);
  workspace.move('l', 'm');
  expect(readlinkSync(at('m'))).toBe(`${scratch.outside}/secret.txt`);
  expect(readFileSync(`${scratch.outside}/secret.txt`, 'utf8')).toBe('SECRET');
});

it('never replaces what the destination has: a file, a directory or a link to nothing', async () => {
  const { workspace, at } = open(['f = one', 'file = kept', 'dir/', 'dangling => nowhere']);
  for (const taken of ['file', 'dir', 'dangling', '.'])
    expect((await failureOf(() => workspace.move('f', taken))).code, taken).toBe('exists');
  expect(readFileSync(at('file'), 'utf8')).toBe('kept');
  expect(readFileSync(at('f'), 'utf8')).toBe('one');
  expect(lstatSync(at('dangling')).isSymbolicLink()).toBe(true);
});

it('refuses destinations outside of the workspace and inside of the moved directory', async () => {
  const { workspace, scratch, at } = open(['f', 'dir/a', 'out => $OUT']);
  expect((await failureOf(() => workspace.move('f', '../outside/f'))).code).toBe('outside');
  expect((await failureOf(() => workspace.move('f', 'out/f'))).code).toMatch(/outside/);
  expect((await failureOf(() => workspace.move('dir', 'dir/below/x'))).code).toBe('invalid');
  expect(existsSync(`${scratch.outside}/f`)).toBe(false);
  // Nothing is left of the directories that the refused call made.
  expect(existsSync(at('dir/below'))).toBe(false);
});

it.each(['openat2', 'portable'] as const)('takes no name that another program takes, resolver %s', async (resolver) => {
  const { workspace, at } = open(['f = one'], { resolver });
  const journal = { intend: () => writeFileSync(at('g'), 'theirs'), done() {}, withdraw() {} };
  const { code, message } = await failureOf(() => workspace.move('f', 'g', { journal }));
  expect([code, message]).toEqual(['exists', 'Destination already exists: g']);
  expect(['f', 'g'].map((name) => readFileSync(at(name), 'utf8'))).toEqual(['one', 'theirs']);
});

it.each(['openat2', 'portable'] as const)(
  'moves nothing that comes in the last moment, resolver %s',
  async (resolver) => {
    const { workspace, at } = open(['f = one', 'new = other'], { resolver });
    let times = 0;
    const intend = () => {
      if (times++ === 0) renameSync(at('new'), at('f'));
      else rmSync(at('f'));
    };
    const { code, message } = await failureOf(() =>
      workspace.move('f', 'g', { journal: { intend, done() {}, withdraw() {} } }),
    );
    expect([code, message, times, readdirSync(at('.'))]).toEqual(['not_found', 'File not found: f', 2, []]);
  },
);

it('moves only the version that the caller has seen, and not the workspace itself', async () => {
  const { workspace, at } = open(['f = one']);
  expect((await failureOf(() => workspace.move('f', 'g', { expectedVersion: 'absent' }))).code).toBe('changed');
  expect((await failureOf(() => workspace.move('.', 'g'))).code).toBe('invalid');
  expect((await failureOf(() => workspace.move('missing', 'g'))).code).toBe('not_found');
  expect(existsSync(at('g'))).toBe(false);
});

it.each(['openat2', 'walk', 'portable'] as const)('says why it does not move, resolver %s', async (resolver) => {
  const { workspace, at } = open(['f', 'file', 'dir/a', 'dir/sub/'], { resolver });
  const refusal = async (from: string, to: string) => {
    const { code, message } = await failureOf(() => workspace.move(from, to));
    return `${code}: ${message}`;
  };
  expect([
    await refusal('missing', 'g'),
    await refusal('f', 'file'),
    await refusal('f', 'dir'),
    await refusal('dir', 'dir/sub/x'),
    await refusal('dir/.', 'dir/sub'),
    await refusal('./', 'g'),
    await refusal('f', 'file/below'),
  ]).toEqual([
    'not_found: File not found: missing',
    'exists: Destination already exists: file',
    'exists: Destination already exists: dir',
    'invalid: Cannot move a directory into itself: dir',
    'exists: Destination already exists: dir/sub',
    'invalid: The workspace itself cannot be moved or deleted: ./',
    'not_directory: Not a directory: file/below',
  ]);
  expect(['f', 'file', 'dir/a', 'dir/sub'].filter((name) => !existsSync(at(name)))).toEqual([]);
});

it('does not move a directory that holds another workspace of this process, or anything in a read-only one', async () => {
  const { workspace, at } = open(['dir/inner/f', 'dir2/f']);
  const inner = openWorkspace(join(at('dir'), 'inner'));
  try {
    const { code, message } = await failureOf(() => workspace.move('dir', 'other'));
    expect([code, message]).toEqual([
      'denied',
      'This server also serves a directory in it, so it cannot be moved or deleted: dir',
    ]);
  } finally {
    inner.close();
  }
  workspace.move('dir', 'other');
  const readOnly = open(['f'], { readOnly: true });
  expect((await failureOf(() => readOnly.workspace.move('f', 'g'))).code).toBe('read_only');
});
