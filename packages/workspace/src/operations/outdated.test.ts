import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { WorkspaceError } from '../errors.ts';
import { failureOf } from '../testing.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';
import { useEnclosures } from '../use-enclosures.ts';
import { locate } from '../resolve/locate.ts';
import { isCurrent, isUnchanged, maybeHeld, Outdated, untilCurrent } from './outdated.ts';

let scratch: string;
let file: string;
let workspace: Workspace;

beforeEach(() => {
  scratch = testDir();
  for (const name of ['root', 'trash-of-another']) mkdirSync(join(scratch, name));
  file = join(scratch, 'root/f');
  writeFileSync(file, 'text');
  workspace = openWorkspace(join(scratch, 'root'), { trashDir: join(scratch, 'trash') });
});
afterEach(() => workspace.close());

/** Another process locks the directory and keeps the file in a trash of its own, as a process with another base directory does. */
async function replacedByAnother(): Promise<{ readonly ended: Promise<unknown> }> {
  const kept = join(scratch, 'trash-of-another/kept');
  const script = 'ln "$0" "$1" && echo kept && sleep 0.3 && rm "$1"';
  const child = spawn('flock', [join(scratch, 'root'), 'sh', '-c', script, file, kept]);
  await once(child.stdout, 'data');
  return { ended: once(child, 'close') };
}

describe.runIf(process.platform === 'linux')('a file that a process with another trash is replacing', () => {
  it.each([
    ['written', async () => workspace.write('f', 'new'), 'new'],
    ['edited', async () => workspace.edit('f', [{ oldString: 'text', newString: 'new' }]), 'new'],
    ['appended to', async () => workspace.append('f', ' more'), 'text more'],
  ] as const)('is %s afterwards, and not refused for its second name', async (_, change, content) => {
    const other = await replacedByAnother();
    await change();
    await other.ended;
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  it('is refused if it still has a second name then', async () => {
    linkSync(file, join(scratch, 'second'));
    let code: unknown;
    try {
      workspace.write('f', 'new');
    } catch (error) {
      ({ code } = error as WorkspaceError);
    }
    expect(code).toBe('hard_linked');
    expect(readFileSync(file, 'utf8')).toBe('text');
  });
});

describe('a call whose place keeps changing', () => {
  const outdated = () => {
    throw new Outdated();
  };

  it('locks the place from its fourth round on, until it meets it as it was', () => {
    const held: boolean[] = [];
    const result = untilCurrent((hold) => {
      held.push(hold);
      return held.length < 6 ? outdated() : 'done';
    });
    expect([result, held]).toEqual(['done', [false, false, false, true, true, true]]);
  });

  it('gives up after two seconds, and at once for any other failure', async () => {
    const now = vi.spyOn(performance, 'now');
    try {
      const roundsUntil = async (ms: number) => {
        let rounds = 0;
        const failure = await failureOf(() => {
          now.mockReturnValue(1_000);
          return untilCurrent(() => {
            now.mockReturnValue(++rounds === 1 ? 2_999 : 1_000 + ms);
            return outdated();
          });
        });
        return [rounds, failure.code];
      };
      expect(await roundsUntil(2_000)).toEqual([2, 'busy']);
      expect(await roundsUntil(2_500)).toEqual([2, 'busy']);
    } finally {
      now.mockRestore();
    }
    const failure = new WorkspaceError('io', 'broken');
    expect(() =>
      untilCurrent(() => {
        throw failure;
      }),
    ).toThrow(failure);
  });

  it('takes a file as unchanged by its identity, time and size, and a directory by its identity', () => {
    const stat = (name = 'root/f') => lstatSync(join(scratch, name), { throwIfNoEntry: false });
    const [f, root] = [stat(), stat('root')];
    expect([
      isUnchanged(undefined, undefined),
      isUnchanged(stat(), undefined),
      isUnchanged(undefined, f),
      isUnchanged(stat(), f),
      isUnchanged(stat('root'), f),
    ]).toEqual([true, false, false, true, false]);
    utimesSync(file, 5, 5);
    writeFileSync(join(scratch, 'root/g'), 'text');
    utimesSync(join(scratch, 'root/g'), 5, 5);
    const before = stat();
    expect([isUnchanged(stat(), f), isUnchanged(stat('root'), root)]).toEqual([false, true]);
    renameSync(join(scratch, 'root/g'), file);
    expect(isUnchanged(stat(), before)).toBe(false);
  });
});

describe.each(['openat2', 'walk', 'portable'] as const)('a located file, resolver %s', (resolver) => {
  const open = useEnclosures();

  it('is looked at again under its lock where it is held', () => {
    const { enclosure, at } = open(['f = text', 'link => f'], {}, resolver);
    const found = locate(enclosure, 'f', { leaf: 'keep' });
    const link = locate(enclosure, 'link', { leaf: 'keep' });
    try {
      writeFileSync(at('f'), 'longer text');
      const seen = [false, true].map((hold) =>
        maybeHeld(enclosure.root, found, hold, ({ stat, isLocked }) => [stat?.size, isLocked === true]),
      );
      expect(seen).toEqual([
        [4, false],
        [11, true],
      ]);
      expect(() => maybeHeld(enclosure.root, link, true, () => 'done')).toThrow(Outdated);
      expect(maybeHeld(enclosure.root, link, false, () => 'done')).toBe('done');
      const fail = (code: 'hard_linked' | 'io') => () => {
        throw new WorkspaceError(code, code);
      };
      expect(() => maybeHeld(enclosure.root, found, false, fail('hard_linked'))).toThrow(Outdated);
      for (const [hold, code] of [
        [false, 'io'],
        [true, 'hard_linked'],
      ] as const)
        expect(() => maybeHeld(enclosure.root, found, hold, fail(code))).toThrow(code);
    } finally {
      found.close();
      link.close();
    }
  });

  it('is current as long as nothing changes at its name', () => {
    const { enclosure, at } = open(['f = text', 'd/'], {}, resolver);
    const look = (name: string) => {
      const found = locate(enclosure, name, { leaf: 'keep' });
      found.close();
      return { ...found, dir: enclosure.root.dir };
    };
    const [f, d, none] = [look('f'), look('d'), look('none')];
    const current = () => [f, d, none].map((found) => isCurrent(enclosure.root, found));
    expect(current()).toEqual([true, true, true]);
    writeFileSync(at('f'), 'other text');
    writeFileSync(at('d/below'), '');
    writeFileSync(at('none'), '');
    expect(current()).toEqual([false, true, false]);
    rmSync(at('f'));
    expect(current()[0]).toBe(false);
  });
});
