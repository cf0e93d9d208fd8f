import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { type Enclosure, openAmbientRoot } from '../enclosure.ts';
import { closeSearchWorkers } from '../search/worker-pool.ts';
import { codeOf, failureOf } from '../testing.ts';
import { useEnclosures } from '../use-enclosures.ts';
import { runInWorker, scopeOf } from './run-in-worker.ts';

const open = useEnclosures();
afterAll(() => closeSearchWorkers());

describe('where a search runs', () => {
  it('is a real directory, or one file of it', () => {
    const { enclosure } = open(['d/e/f', 'link => d/e']);
    const scope = (path: string | undefined, directoryOnly = false) =>
      scopeOf(enclosure, { path }, directoryOnly).scope;
    expect([scope(undefined).parts, scope('').parts, scope('link').parts]).toEqual([[], [], ['d', 'e']]);
    expect(scope('link/f')).toMatchObject({ parts: ['d', 'e'], onlyFile: 'f' });
    expect(scope('d')).not.toHaveProperty('onlyFile');
  });

  it('has to exist, inside, and to be a directory where only those count', async () => {
    const { enclosure } = open(['f', 'out => $OUT']);
    const code = (path: string, directoryOnly: boolean) => codeOf(() => scopeOf(enclosure, { path }, directoryOnly));
    expect([await code('no', true), await code('no', false), await code('f', true), await code('f', false)]).toEqual([
      'not_found',
      'not_found',
      'not_directory',
      'done',
    ]);
    expect([await code('out', true), await code('..', false)]).toEqual(['link_outside', 'outside']);
  });

  it('is not kept open', async () => {
    const { enclosure } = open(['d/f']);
    const count = () => readdirSync('/proc/self/fd').length;
    const before = count();
    scopeOf(enclosure, { path: 'd/f' }, false);
    await failureOf(() => scopeOf(enclosure, { path: 'd/f' }, true));
    expect(count()).toBe(before);
  });

  it('is refused in words that name it', async () => {
    const { enclosure, at } = open(['f']);
    execFileSync('mkfifo', [at('pipe')]);
    const refusal = async (path: string, directoryOnly: boolean) => {
      const { code, message } = await failureOf(() => scopeOf(enclosure, { path }, directoryOnly));
      return `${code}: ${message}`;
    };
    expect([
      await refusal('no', false),
      await refusal('pipe', false),
      await refusal('pipe', true),
      await refusal('f', true),
    ]).toEqual([
      'not_found: Path does not exist: no',
      'not_regular: Not a regular file: pipe',
      'not_directory: Base path is not a directory: pipe',
      'not_directory: Base path is not a directory: f',
    ]);
  });

  it('has the rules of the workspace, and knows its base directory', () => {
    const identity = { dev: 1, ino: 2 };
    const base = { identity: () => identity } as unknown as Enclosure['base'];
    const { enclosure } = open(['d/f'], { denyList: false, base });
    expect(scopeOf(enclosure, { path: 'd/f' }, false)).toEqual({
      root: enclosure.root,
      scope: {
        parts: ['d'],
        onlyFile: 'f',
        denyList: false,
        ignoreNames: [],
        gitignore: false,
        masks: [],
        base: identity,
        limits: enclosure.limits,
      },
    });
  });

  it('leaves out the names of the workspace and of the call, and what is masked below the root', () => {
    const { enclosure } = open(['d/'], ({ workspace }) => ({
      ignoreNames: new Set(['own']),
      masks: [`${workspace}/d/hidden`, '/elsewhere'],
    }));
    const { scope } = scopeOf(enclosure, { excludeNames: new Set(['call']), gitignore: true }, true);
    expect([scope.ignoreNames, scope.gitignore, scope.masks]).toEqual([['own', 'call'], true, ['d/hidden']]);
    expect(scopeOf(enclosure, {}, true).scope.gitignore).toBe(false);
  });
});

it('names what it found from the workspace, also where the boundary is lifted', async () => {
  const { enclosure, scratch } = open(['d/f.txt'], () => ({ ambient: openAmbientRoot() }));
  const search = async (path: string) => {
    const request = (scope: Parameters<Parameters<typeof runInWorker>[3]>[0]) =>
      ({ kind: 'glob', scope, pattern: '**/*.txt', braces: false }) as const;
    const outcome = await runInWorker(enclosure, { path }, true, request);
    return outcome.kind === 'glob' ? outcome.matches : [];
  };
  expect(await search('.')).toEqual(['d/f.txt']);
  expect(await search(scratch.outside)).toEqual([`${scratch.outside}/secret.txt`]);
  const listed = await runInWorker(enclosure, { path: 'd' }, true, (scope) => ({
    kind: 'list',
    scope,
    sort: 'name',
    descending: false,
    after: undefined,
    limit: 10,
    mounted: [],
  }));
  expect(listed).toMatchObject({ kind: 'list', entries: [{ name: 'f.txt', type: 'file' }], total: 1 });
});
