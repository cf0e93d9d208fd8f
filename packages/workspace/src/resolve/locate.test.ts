import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkPath, type Enclosure } from '../enclosure.ts';
import { WorkspaceError } from '../errors.ts';
import { failureOf } from '../testing.ts';
import { useEnclosures } from '../use-enclosures.ts';
import { locate, locateOrNothing, locateThen, mayMeetBase, withinMount } from './locate.ts';
import { type LocateOptions, NothingThere } from './located.ts';
import { RESOLVE_NO_XDEV } from './native.ts';
import { openRoot, type ResolverKind } from './root.ts';

const RESOLVERS: readonly ResolverKind[] = ['openat2', 'walk', 'portable'];
const open = useEnclosures();
const enclose = (lines: readonly string[], resolver: ResolverKind, more: Partial<Enclosure> = {}): Enclosure =>
  open(lines, more, resolver).enclosure;

/** Where a path leads, and `+` if there is something. */
function place(enclosure: Enclosure, path: string, options?: LocateOptions): string {
  const found = locate(enclosure, path, options);
  found.close();
  return `${found.parts.join('/')}${found.stat ? '+' : ''}`;
}

describe.each(RESOLVERS)('a place, resolver %s', (resolver) => {
  it('is a held directory and one name in it', () => {
    const enclosure = enclose(['dir/f = text', 'in => dir'], resolver);
    for (const path of ['dir/f', './in/../dir/f', 'in/f']) {
      const found = locate(enclosure, path);
      expect([found.name, found.parts, readFileSync(found.at, 'utf8')], path).toEqual(['f', ['dir', 'f'], 'text']);
      found.close();
    }
    expect(place(enclosure, '')).toBe('+');
    expect(place(enclosure, 'dir/..')).toBe('+');
    expect(place(enclosure, 'dir/new')).toBe('dir/new');
  });

  it('is never behind a link that leads outside, also where nothing is', async () => {
    const enclosure = enclose(['out => $OUT', 'up => ../outside', 'l => $OUT/secret.txt'], resolver);
    for (const path of ['out/secret.txt', 'up/secret.txt', 'l', 'out/new', 'up/a/b'])
      for (const options of [{}, { forChange: true }, { makeParents: true }])
        expect((await failureOf(() => place(enclosure, path, options))).code, path).toBe('link_outside');
  });

  it('is checked by its real name as well', async () => {
    const enclosure = enclose(['.ssh/config = KEY', 'a => .ssh', 'b => .env', '.env = KEY'], resolver);
    for (const path of ['a/config', 'b', 'a/missing', 'a/no/such'])
      expect((await failureOf(() => locateOrNothing(enclosure, path))).code, path).toBe('denied');
  });

  it('is the link itself where the link is kept', async () => {
    const enclosure = enclose(['out => $OUT', 'in => f', 'f'], resolver);
    expect(place(enclosure, 'in')).toBe('f+');
    expect(place(enclosure, 'in', { leaf: 'keep' })).toBe('in+');
    expect(place(enclosure, 'out', { leaf: 'keep' })).toBe('out+');
    expect((await failureOf(() => place(enclosure, 'out'))).code).toBe('link_outside');
  });

  it('below a directory that is missing is an answer for one caller and an error for the other', async () => {
    const enclosure = enclose(['f'], resolver);
    const nothing = locateOrNothing(enclosure, 'no/such/f');
    expect(nothing).toBeInstanceOf(NothingThere);
    expect(nothing.parts).toEqual(['no', 'such', 'f']);
    const failure = await failureOf(() => locate(enclosure, 'no/such/f'));
    expect([failure.code, failure.message]).toEqual(['not_found', 'File not found: no/such/f']);
    expect((await failureOf(() => locate(enclosure, 'f/x'))).code).toBe('not_directory');
  });

  it.runIf(process.platform === 'linux')('is not changed on another mount, and leaves nothing open', async () => {
    const count = () => readdirSync('/proc/self/fd').length;
    const enclosure = enclose(['dir/f', 'out => $OUT'], resolver);
    const whole: Enclosure = { ...enclosure, root: openRoot('/', resolver) };
    const before = count();
    try {
      expect(place(whole, 'proc/version')).toBe('proc/version+');
      for (const options of [{ forChange: true }, { makeParents: true }])
        expect((await failureOf(() => place(whole, 'proc/version', options))).code).toBe('mounted');
      for (const options of [{}, { forChange: true }, { makeParents: true }]) {
        expect(place(enclosure, 'dir/f', options)).toBe('dir/f+');
        for (const path of [`dir/${'x'.repeat(300)}`, 'out/f', 'dir/f/x'])
          await failureOf(() => place(enclosure, path, options));
      }
      expect(count()).toBe(before);
    } finally {
      whole.root.close();
    }
  });

  it('has its parents made when asked, which a failed act can remove again', () => {
    const enclosure = enclose([], resolver);
    const found = locate(enclosure, 'a/b/f', { makeParents: true });
    expect(found.made.map(({ parts }) => parts)).toEqual([['a'], ['a', 'b']]);
    expect(existsSync(`${enclosure.root.path}/a/b`)).toBe(true);
    found.unmake();
    found.close();
    expect(existsSync(`${enclosure.root.path}/a`)).toBe(false);
  });

  it('is closed if the act on it fails, with an error that names the path as written', async () => {
    const enclosure = enclose(['d/f'], resolver);
    let self = '';
    const failure = await failureOf(() =>
      locateThen(enclosure, './d/f', {}, (found) => {
        self = found.dir.self;
        throw Object.assign(new Error(`EIO: ${self}`), { code: 'EIO', errno: -5 });
      }),
    );
    expect([failure.code, failure.message]).toEqual(['io', 'Cannot use path: I/o error']);
    if (resolver !== 'portable') expect(existsSync(self)).toBe(false);
  });
});

describe('the base directory of Croft', () => {
  it('is refused by all of its names', async () => {
    const base = { path: '', masks: [], isInside: true, is: ({ mode }: { mode: number }) => (mode & 0o777) === 0o751 };
    const enclosure = enclose(['base/', 'other/f', 'alias => base'], 'openat2', {
      base: base as unknown as Enclosure['base'],
    });
    chmodSync(`${enclosure.root.path}/base`, 0o751);
    for (const path of ['base', 'alias', 'base/../base'])
      expect((await failureOf(() => place(enclosure, path))).code, path).toBe('outside');
    expect(place(enclosure, 'other/f')).toBe('other/f+');
    // The quick way looks at no directory in between.
    expect(mayMeetBase(enclosure)).toBe(true);
    expect(withinMount(enclosure)).toBe(RESOLVE_NO_XDEV);
  });

  it('elsewhere costs a workspace only its other mounts', () => {
    const enclosure = enclose(['f'], 'openat2');
    expect([mayMeetBase(enclosure), withinMount(enclosure)]).toEqual([false, 0]);
    const away = { ...enclosure, base: { isInside: false } as unknown as Enclosure['base'] };
    expect([mayMeetBase(away), withinMount(away)]).toEqual([false, RESOLVE_NO_XDEV]);
    expect(mayMeetBase({ ...away, ambient: enclosure.root })).toBe(true);
  });
});

it('refuses a wrong path before it looks at the disk', async () => {
  const enclosure = enclose(['f'], 'openat2');
  enclosure.root.close();
  expect(await failureOf(() => locate(enclosure, 'CON'))).toBeInstanceOf(WorkspaceError);
  expect(() => checkPath(enclosure, 'f')).toThrow('The workspace was closed');
});
