import { existsSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { LocateOptions } from '../resolve/locate.ts';
import { failureOf } from '../testing.ts';
import { useEnclosures } from '../use-enclosures.ts';
import { useWorkspaces } from '../use-workspaces.ts';
import { locateRecorded } from './locate-recorded.ts';

const open = useWorkspaces();
const enclose = useEnclosures();

it('gives the place of a real path, and refuses each path with a link on it before anything is made', async () => {
  const intended: unknown[] = [];
  const journal = { intend: (changes: unknown) => void intended.push(changes), done() {}, withdraw() {} };
  const { enclosure, at } = enclose(['d/f', 'link => d', 'a/b', 'ab => a/b'], { journal });
  const verdict = async (path: string, options: LocateOptions = {}) => {
    try {
      const found = locateRecorded(enclosure, path, options);
      found.close();
      return `${found.parts.join('/')}${found.stat ? '+' : ''}`;
    } catch (error) {
      const { code, message } = await failureOf(() => {
        throw error;
      });
      return `${code}: ${message}`;
    }
  };
  const makeParents = true;
  const count = () => readdirSync('/proc/self/fd').length;
  const before = count();
  expect([
    await verdict('d/f'),
    await verdict('d/new'),
    await verdict('link', { leaf: 'keep' }),
    await verdict('link', { leaf: 'keep', makeParents }),
    await verdict('no/such/f'),
    await verdict('ab'),
    await verdict('link/f'),
    await verdict('link/no/f'),
    await verdict('link/new/f', { makeParents }),
  ]).toEqual([
    'd/f+',
    'd/new',
    'link+',
    'link+',
    'not_found: File not found: no/such/f',
    'changed: ab was changed since',
    'changed: link/f was changed since',
    'changed: link/no/f was changed since',
    'changed: link/new/f was changed since',
  ]);
  expect([intended, existsSync(at('d/new'))]).toEqual([[], false]);
  expect([await verdict('p/q/f', { makeParents }), existsSync(at('p/q'))]).toEqual(['p/q/f', true]);
  expect(count()).toBe(before);
});

it('does not follow a directory that became a link since the change was recorded', async () => {
  const { workspace, at } = open(['d/f = old', 'other/f = kept'], ({ base }) => ({ trashDir: `${base}/trash` }));
  const { changes } = workspace.write('d/f', 'new');
  renameSync(at('d'), at('away'));
  symlinkSync('other', at('d'));
  const failure = await failureOf(() => workspace.undo(changes[0] as NonNullable<(typeof changes)[0]>));
  expect([failure.code, failure.message]).toEqual(['changed', 'd/f was changed since']);
  expect(readFileSync(at('other/f'), 'utf8')).toBe('kept');
});

it('makes no directory behind such a link', async () => {
  const { workspace, at } = open(['d/sub/f = old', 'other/'], ({ base }) => ({ trashDir: `${base}/trash` }));
  const [change] = (await workspace.delete('d/sub', { recursive: true })).changes;
  renameSync(at('d'), at('away'));
  symlinkSync('other', at('d'));
  expect((await failureOf(() => workspace.undo(change as NonNullable<typeof change>))).code).toBe('changed');
  expect(existsSync(at('other/sub'))).toBe(false);
});
