import { closeSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WorkspaceError } from './errors.ts';
import { named, pathOperations, type Place } from './mounted-place.ts';
import { codeOf, failureOf, makeScratch, type Scratch } from './testing.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

let scratches: Scratch[];
let parts: Workspace[];
beforeEach(() => {
  scratches = [makeScratch(['a = one', 'd/b = two', 'link => d']), makeScratch(['a = three'])];
  parts = scratches.map(({ workspace }) => openWorkspace(workspace));
});
afterEach(() => {
  for (const each of parts) each.close();
  for (const each of scratches) each.remove();
});
/** `x/…` is in the first workspace, `y/…` in the second. */
const place = (path: string): Place => {
  const [name = '', ...rest] = path.split('/');
  if (name !== 'x' && name !== 'y') throw new WorkspaceError('not_found', `No such place: ${path}`);
  return { name, workspace: parts[name === 'x' ? 0 : 1] as Workspace, rest: rest.join('/') || '.' };
};
const failing = (code: 'not_found' | 'read_only', message: string) => () => {
  throw new WorkspaceError(code, message, { extra: { a: 1 }, operatorMessage: 'for the operator' });
};

describe('a message from a mounted workspace', () => {
  it('names the path as the caller wrote it, with all else as it was', async () => {
    const error = await failureOf(() => named('x/d/f', place('x/d/f'), failing('not_found', 'File not found: d/f')));
    expect([error.message, error.code, error.extra, error.operatorMessage]).toEqual([
      'File not found: x/d/f',
      'not_found',
      { a: 1 },
      'for the operator',
    ]);
    const inside = await failureOf(() => named('x/f', place('x/f'), failing('not_found', 'fff f is not f here')));
    expect(inside.message).toBe('fff f is not x/f here');
    const other = await failureOf(() => named('x/f', place('x/f'), failing('not_found', 'Another one')));
    expect(other.message).toBe('Another one');
  });

  it('names the mount that is read-only', async () => {
    const of = (given: Place) =>
      failureOf(() => named('x/f', given, failing('read_only', 'This workspace is read-only')));
    expect((await of(place('x/f'))).message).toBe('x/ is read-only');
    expect((await of({ ...place('x/f'), name: '' })).message).toBe('This workspace is read-only');
  });

  it('is renamed for an operation that waits, too', async () => {
    const later = named('x/f', place('x/f'), async () => failing('not_found', 'File not found: f')());
    await expect(later).rejects.toThrow('File not found: x/f');
    expect(() => named('x/f', place('x/f'), () => JSON.parse('{'))).toThrow(SyntaxError);
  });
});

describe('operations on mounted workspaces', () => {
  it('act in the one that the path leads to', async () => {
    const operations = pathOperations(place);
    operations.write('y/new', 'x');
    expect((await operations.readWhole('y/new')).text).toBe('x');
    expect(await codeOf(() => operations.info('x/new'))).toBe('not_found');
    operations.move('x/a', 'x/moved');
    await operations.copy('x/moved', 'x/copied');
    expect((await operations.readWhole('x/copied')).text).toBe('one');
    await operations.delete('x/moved');
    expect(await codeOf(() => operations.info('x/moved'))).toBe('not_found');
  });

  it('of every kind reach it, and name the path as the caller wrote it', async () => {
    const operations = pathOperations(place);
    const content = async function* () {
      yield Buffer.from('received');
    };
    await operations.receive('x/r', content(), { maxBytes: 100 });
    operations.append('x/r', '!');
    operations.edit('x/r', [{ oldString: 'received', newString: 'edited', replaceAll: false }]);
    operations.createDir('x/new');
    expect([
      (await operations.readText('x/r')).lines,
      (await operations.readBytes('x/r')).bytes.toString(),
      operations.info('x/new').type,
      await operations.digest('x/d'),
    ]).toEqual([['edited!'], 'edited!', 'directory', await (parts[0] as Workspace).digest('d')]);
    const { fd } = operations.open('x/r');
    closeSync(fd);
    const failing: (() => unknown)[] = [
      () => operations.readText('x/gone'),
      () => operations.readWhole('x/gone'),
      () => operations.readBytes('x/gone'),
      () => operations.edit('x/gone', [{ oldString: 'a', newString: 'b', replaceAll: false }]),
      () => operations.info('x/gone'),
      () => operations.copy('x/gone', 'x/b'),
      () => operations.delete('x/gone'),
      () => operations.deleteAll(['x/a', 'x/gone']),
      () => operations.open('x/gone'),
    ];
    for (const [i, act] of failing.entries()) expect((await failureOf(act)).message, `${i}`).toMatch(/: x\/gone$/);
    expect((await failureOf(() => operations.move('x/a', 'x/d'))).message).toBe('Destination already exists: x/d');
    for (const act of [
      () => operations.write('x/d', 'x'),
      () => operations.append('x/d', 'x'),
      () => operations.createDir('x/r'),
      () => operations.receive('x/d', content(), { maxBytes: 100 }),
    ])
      expect((await failureOf(act)).message).toMatch(/: x\/[dr]$/);
  });

  it('say between which workspaces they do not act', async () => {
    const top = (path: string): Place =>
      path === 'top' ? { name: '', workspace: parts[1] as Workspace, rest: 'a' } : place(path);
    const { move, copy, deleteAll, undo } = pathOperations(top);
    const messages = [
      () => move('x/a', 'top'),
      () => copy('top', 'x/b'),
      () => deleteAll(['x/a', 'top']),
      () => undo({ kind: 'mkdir', path: 'x' }),
    ].map(async (act) => (await failureOf(act)).message);
    expect(await Promise.all(messages)).toEqual([
      'Cannot move or copy between x and the files around it; read and write instead',
      'Cannot move or copy between the files around it and x; read and write instead',
      'Cannot delete in several workspaces at once',
      'Undo in the workspace the change was made in',
    ]);
  });

  it('stay within one of them', async () => {
    const operations = pathOperations(place);
    expect(await codeOf(() => operations.move('x/a', 'y/b'))).toBe('invalid');
    expect(await codeOf(() => operations.copy('x/a', 'y/b'))).toBe('invalid');
    expect(await codeOf(() => operations.deleteAll(['x/a', 'y/a']))).toBe('invalid');
    expect(await codeOf(() => operations.undo({ kind: 'mkdir', path: 'x' }))).toBe('invalid');
    expect(await operations.deleteAll([])).toEqual([]);
    expect(await operations.deleteAll(['x/a', 'x/d'], { recursive: true })).toHaveLength(2);
    expect((await failureOf(() => operations.move('x/gone', 'x/b'))).message).toBe('File not found: x/gone');
  });

  it('are asked for their place before a change, and for a link itself where it is kept', () => {
    const asked: string[] = [];
    const operations = pathOperations(place, (path, leaf) => {
      asked.push(`${leaf} ${path}`);
      return place(path);
    });
    operations.write('x/w', 'x');
    operations.move('x/w', 'x/v');
    operations.info('x/v');
    expect(asked).toEqual(['follow x/w', 'keep x/w', 'keep x/v']);
  });

  it('name where a path or link leads from the top', () => {
    const { locate, info } = pathOperations(place);
    expect([locate('x/d'), locate('x'), locate('z')]).toMatchObject([
      { inside: true, path: 'x/d', exists: true },
      { inside: true, path: 'x' },
      { inside: false },
    ]);
    expect(locate('x/../..')).toMatchObject({ inside: false });
    const broken = () => {
      throw new TypeError('a bug');
    };
    expect(() => pathOperations(broken).locate('x')).toThrow('a bug');
    expect(info('x/link').realPath).toBe('x/d');
  });
});
