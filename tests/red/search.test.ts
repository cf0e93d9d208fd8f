import { fstatSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BaseMoved, runSearch } from '../../packages/workspace/src/search/run-search.ts';
import type {
  GlobOutcome,
  GrepOutcome,
  GrepRequest,
  SearchScope,
} from '../../packages/workspace/src/search/search-request.ts';
import { grepFor, WHOLE } from '../../packages/workspace/src/search/testing-requests.ts';
import { visitTree } from '../../packages/workspace/src/visit-tree.ts';
import { codeOf } from '../../packages/workspace/src/testing.ts';
import { withWorkspace } from './refusal.ts';

const control = { cancelled: () => false, progress: () => {} };

const grepIn = (scope: Partial<SearchScope>): GrepRequest =>
  grepFor('SECRET', { scope: { ...WHOLE, ...scope }, isRegex: false });

describe('a search', () => {
  // The thread gets real components; any of them may be a link when it opens them.
  it('opens its directory without following a link that has taken its place', () =>
    withWorkspace(['d => $OUT'], (_, { workspace: root }) => {
      expect(() => runSearch(root, grepIn({ parts: ['d'] }), control)).toThrow(BaseMoved);
    }));

  it('opens a file without following a link that has taken its place', () =>
    withWorkspace(['l.txt => $OUT/secret.txt'], (_, { workspace: root }) => {
      expect(() => runSearch(root, grepIn({ onlyFile: 'l.txt' }), control)).toThrow(BaseMoved);
    }));

  it('reads no ignore rules through a link', () =>
    withWorkspace(['.gitignore => $OUT/secret.txt', 'SECRET = SECRET'], (_, { workspace: root }) => {
      const outcome = runSearch(root, grepIn({ gitignore: true }), control) as GrepOutcome;
      expect(outcome.matches.map((match) => match.path)).toEqual(['SECRET']);
    }));

  it('finds nothing of the base directory under another name', () =>
    withWorkspace(['home/.croft/token = SECRET', 'home/f = SECRET'], (_, { workspace: root }) => {
      const { dev, ino } = statSync(join(root, 'home/.croft'));
      renameSync(join(root, 'home/.croft'), join(root, 'moved'));
      const grep = grepIn({ base: { dev, ino } });
      // With the short question for the number, without it, and where that has no answer.
      for (const inodeOf of [(fd: number) => fstatSync(fd).ino, undefined, () => undefined]) {
        const control = { cancelled: () => false, progress: () => {}, place: { inodeOf } };
        const found = runSearch(root, grep, control) as GrepOutcome;
        expect(found.matches.map((match) => match.path)).toEqual(['home/f']);
        const named = runSearch(root, { kind: 'glob', scope: grep.scope, pattern: '**/*', braces: false }, control);
        expect((named as GlobOutcome).matches).toEqual(['home', 'home/f']);
      }
    }));

  it('knows the base directory', () =>
    withWorkspace(
      ['home/.croft/token = SECRET', 'home/f = SECRET', 'other/'],
      async (workspace, { workspace: root }) => {
        renameSync(join(root, 'home/.croft'), join(root, 'other/moved'));
        expect((await workspace.grep({ pattern: 'SECRET' })).matches).toEqual([{ path: 'home/f' }]);
        expect((await workspace.glob('**/*')).matches).toEqual(['home', 'home/f', 'other']);
      },
      ({ workspace }) => ({ baseDir: join(workspace, 'home/.croft') }),
    ));

  it('finds nothing in a masked directory', () =>
    withWorkspace(['base/token = SECRET', 'f = SECRET'], (_, { workspace: root }) => {
      const outcome = runSearch(root, grepIn({ masks: ['base'] }), control) as GrepOutcome;
      expect(outcome.matches.map((match) => match.path)).toEqual(['f']);
    }));

  it('finds nothing in protected files', () =>
    withWorkspace(['.env = SECRET', '.git/config = SECRET', 'f = SECRET'], (_, { workspace: root }) => {
      const outcome = runSearch(root, grepIn({}), control) as GrepOutcome;
      expect(outcome.matches.map((match) => match.path)).toEqual(['f']);
    }));

  it('refuses a pattern that climbs', () =>
    withWorkspace(['f'], async (workspace) => {
      expect(await codeOf(() => workspace.glob('../*'))).toBe('invalid');
    }));
});

describe('a walk', () => {
  it('enters no directory through a link that has taken its place', () =>
    withWorkspace(['d => $OUT'], (_, { workspace: root }) => {
      const seen: string[] = [];
      visitTree(join(root, 'd'), { maxDepth: 5, denyList: true }, (entry) => {
        seen.push(entry.name);
      });
      expect(seen).toEqual([]);
    }));
});
