import { afterAll, describe, expect, it } from 'vitest';
import { openAmbientRoot } from '../enclosure.ts';
import { closeSearchWorkers } from '../search/worker-pool.ts';
import { codeOf } from '../testing.ts';
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
});
