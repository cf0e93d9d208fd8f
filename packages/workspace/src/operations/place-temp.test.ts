import fs, {
  existsSync,
  fstatSync,
  type linkSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Enclosure } from '../enclosure.ts';
import { locate } from '../resolve/locate.ts';
import type { ResolverKind } from '../resolve/root.ts';
import { failureOf, withReplaced } from '../testing.ts';
import { versionOf } from '../text/version.ts';
import { trashBeside, useEnclosures } from '../use-enclosures.ts';
import type { Change } from './change.ts';
import { Outdated } from './outdated.ts';
import { hasSameOwner, placeTemp } from './place-temp.ts';

const open = useEnclosures();
const TEMP = '.croft-tmp-t';

/** A located file `f`, and a complete temporary file for its place. */
function setUp(lines: readonly string[] = ['f = old'], parts: Partial<Enclosure> = {}, resolver?: ResolverKind) {
  const { enclosure, at } = open(
    [...lines, `${TEMP} = new`],
    (scratch) => ({ ...trashBeside()(scratch), ...parts }),
    resolver,
  );
  const found = locate(enclosure, 'f');
  const temp = { home: enclosure.root.dir, name: TEMP, made: lstatSync(at(TEMP)) };
  const text = () => readFileSync(at('f'), 'utf8');
  return { enclosure, at, found, temp, text };
}

describe.each<ResolverKind>(['openat2', 'portable'])('a complete temporary file, resolver %s', (resolver) => {
  it('takes the place of a file, whose content the trash keeps', () => {
    const { enclosure, found, temp, text, at } = setUp(undefined, {}, resolver);
    const before = versionOf(lstatSync(at('f')));
    const { status, version, changes } = placeTemp(enclosure, found, temp);
    expect([status, text(), existsSync(at(TEMP)), version]).toEqual(['updated', 'new', false, versionOf(temp.made)]);
    const [change] = changes as [Change];
    expect(change).toMatchObject({ kind: 'update', path: 'f', before, after: version, bytes: 3 });
    expect(readFileSync(enclosure.trash?.find(change.trash as string) as string, 'utf8')).toBe('old');
  });

  it('takes a free name, and never one that was taken meanwhile', async () => {
    const { enclosure, found, temp, text, at } = setUp([], {}, resolver);
    writeFileSync(at('f'), 'of another program');
    const { code, message } = await failureOf(() => placeTemp(enclosure, found, temp));
    expect([code, message]).toEqual(['exists', 'Something was created at f meanwhile; read it first']);
    expect(text()).toBe('of another program');
    rmSync(at('f'));
    const { status, changes } = placeTemp(enclosure, found, temp);
    expect([status, text(), existsSync(at(TEMP))]).toEqual(['created', 'new', false]);
    expect(changes).toEqual([{ kind: 'create', path: 'f', after: versionOf(temp.made), bytes: 3 }]);
  });
});

describe('a place that changed since it was located', () => {
  it('is looked at again, unless its new state is accepted', () => {
    const { enclosure, found, temp, text, at } = setUp();
    writeFileSync(at('f'), 'changed');
    expect(() => placeTemp(enclosure, found, temp)).toThrow(Outdated);
    expect(text()).toBe('changed');
    const accepted: (number | undefined)[] = [];
    placeTemp(enclosure, found, temp, ({ stat }) => accepted.push(stat?.size));
    expect([accepted, text()]).toEqual([[7], 'new']);
  });

  it('is not replaced where its new state is refused, or where the file is gone', () => {
    const { enclosure, found, temp, text, at } = setUp();
    writeFileSync(at('f'), 'changed');
    const refuse = () => {
      throw new Error('refused');
    };
    expect(() => placeTemp(enclosure, found, temp, refuse)).toThrow('refused');
    expect(text()).toBe('changed');
    rmSync(at('f'));
    expect(() => placeTemp(enclosure, found, temp, () => undefined)).toThrow(Outdated);
  });
});

it('makes no change that cannot be recorded, and keeps nothing of it', () => {
  const journal = {
    intend: () => {
      throw new Error('not recorded');
    },
    done() {},
    withdraw() {},
  };
  const { enclosure, found, temp, text } = setUp(undefined, { journal });
  expect(() => placeTemp(enclosure, found, temp)).toThrow('not recorded');
  expect([text(), found.stat && enclosure.trash?.namesOf(found.stat)]).toEqual(['old', 0]);
});

it('keeps no file that another program moved aside in the last moment', () => {
  let moveAside = () => {};
  const journal = { intend: () => moveAside(), done() {}, withdraw() {} };
  const { enclosure, found, temp, text, at } = setUp(undefined, { journal }, 'portable');
  moveAside = () => renameSync(at('f'), at('aside'));
  const { changes } = placeTemp(enclosure, found, temp);
  expect(changes.map((change) => ['kind', 'path', 'trash'].map((key) => change[key as keyof Change]))).toEqual([
    ['update', 'f', undefined],
  ]);
  expect([text(), readFileSync(at('aside'), 'utf8'), lstatSync(at('aside')).nlink]).toEqual(['new', 'old', 1]);
});

it('is on the disk before it returns where that is asked for', async () => {
  const flushed = async (durable: boolean) => {
    const { enclosure, found, temp, text, at } = setUp(undefined, { durable });
    const directory = lstatSync(at('.')).ino;
    const inodes: boolean[] = [];
    const fsyncSync = (fd: number) => void inodes.push(fstatSync(fd).ino === directory);
    await withReplaced(fs, { fsyncSync }, () => {
      expect([placeTemp(enclosure, found, temp).status, text()]).toEqual(['updated', 'new']);
    });
    return inodes;
  };
  expect([await flushed(false), await flushed(true)]).toEqual([[], [true]]);
});

it('is renamed where the file system has no hard links, and stays where linking fails otherwise', async () => {
  const placeWith = (code: string) => {
    const { enclosure, found, temp, at } = setUp([], {}, 'portable');
    const fail = () => {
      throw Object.assign(new Error(code), { code });
    };
    return withReplaced(fs, { linkSync: fail as unknown as typeof linkSync }, () => {
      try {
        return placeTemp(enclosure, found, temp).status;
      } catch (error) {
        return [(error as NodeJS.ErrnoException).code, existsSync(at('f')), existsSync(at(TEMP))];
      }
    });
  };
  for (const code of ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])
    expect(await placeWith(code), code).toBe('created');
  expect(await placeWith('EIO')).toEqual(['EIO', false, true]);
});

it('keeps no own version for what a person wrote', () => {
  const itemOf = (author?: 'person') => {
    const { enclosure, found, temp } = setUp(undefined, author && { author });
    const [change] = placeTemp(enclosure, found, temp).changes as [Change];
    return change.trash?.split('-').length;
  };
  expect([itemOf(), itemOf('person')]).toEqual([5, 4]);
});

it('compares mode, user and group', () => {
  const stat = lstatSync('.');
  const other = (more: object) => hasSameOwner(Object.assign(Object.create(stat), more), stat);
  expect([other({}), other({ mode: 0 }), other({ uid: -1 }), other({ gid: -1 })]).toEqual([true, false, false, false]);
});
