import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeScratch } from '@croft/workspace/testing';
import { describe, expect, it } from 'vitest';
import { testPolicy } from '../testing.ts';
import { BareRepositories } from './bare-repository.ts';
import { createJudge } from './judge.ts';
import { openPlace } from './place.ts';

type Step = string | { readonly write: string };

/**
 * The rule that decided each call, in order, in a project with these entries; an entry that ends in a slash is a
 * directory.
 */
function rulesOf(entries: readonly string[], steps: readonly Step[], protect?: readonly string[]): string[] {
  const scratch = makeScratch([]);
  try {
    for (const entry of entries) {
      const path = join(scratch.workspace, entry);
      mkdirSync(entry.endsWith('/') ? path : dirname(path), { recursive: true });
      if (!entry.endsWith('/')) writeFileSync(path, 'x');
    }
    const policy = testPolicy({ strict: true, ...(protect && { protect }) });
    const judge = createJudge(policy, openPlace(policy, scratch.workspace));
    const rules = steps.map((step) => {
      const call =
        typeof step === 'string'
          ? { name: 'Bash', arguments: { command: step } }
          : { name: 'write_file', arguments: { path: step.write, content: 'x' } };
      return judge.judge(call).rule;
    });
    judge.close();
    return rules;
  } finally {
    scratch.remove();
  }
}

const BARE = ['b/HEAD', 'b/objects/', 'b/refs/', 'b/config', 'b/hooks/'];
const PARTS = ['p/HEAD', 'p/objects/a', 'p/refs/a'];

function orders<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, at) => orders(items.filter((_, i) => i !== at)).map((rest) => [item, ...rest]));
}

describe('a directory laid out as a repository', () => {
  it('has protected settings and hooks', () => {
    for (const write of ['b/config', 'b/config.worktree', 'b/hooks/pre-receive', 'b/commondir', 'b/CONFIG'])
      expect(rulesOf(BARE, [{ write }]), write).toEqual(['protected-path']);
  });

  it('may get the other files that git keeps in it', () => {
    for (const write of ['b/HEAD', 'b/description', 'b/objects/ab/cd', 'b/refs/heads/x'])
      expect(rulesOf(BARE, [{ write }]), write).toEqual(['allowed']);
  });

  it('must not get files with unknown names', () => {
    for (const command of [
      'cp -r src/. b/',
      'cp src/* b/',
      'rsync -a src/ b/',
      'tar xf a.tar -C b',
      'sed -i s/a/b/ b/c*',
    ])
      expect(rulesOf([...BARE, 'src/a'], [command]), command).toEqual(['protected-path']);
  });

  it('is protected under every name', () => {
    expect(rulesOf(BARE, ['ln -s b c && echo x > c/config'])).toEqual(['protected-path']);
  });

  it('may be removed', () => {
    for (const command of ['rm -rf b', 'rm -rf b/hooks', 'rm b/config'])
      expect(rulesOf(BARE, [command])).toEqual(['allowed']);
  });

  it.each(['config', 'hooks/pre-commit'])('must not be assembled around %s, in any order', (obeyed) => {
    for (const order of orders([...PARTS, `p/${obeyed}`])) {
      const last = { write: order.at(-1) as string };
      expect(rulesOf(order.slice(0, -1), [last]), order.join(' ')).toEqual(['protected-path']);
    }
  });

  it('must not be assembled by the calls of one reply, judged before any of them ran', () => {
    for (const order of orders([...PARTS, 'p/config']))
      expect(
        rulesOf(
          [],
          order.map((write) => ({ write })),
        ),
      ).toContain('protected-path');
  });

  it('must not be created around existing settings', () => {
    for (const command of ['git init --bare p', 'git --git-dir=p init', 'git -C p init --bare', 'git init-db --bare p'])
      expect(rulesOf(['p/config'], [command]), command).toEqual(['protected-path']);
    expect(rulesOf([], [{ write: 'p/hooks/x' }, 'git init --bare p'])).toEqual(['allowed', 'protected-path']);
  });

  it('is recognised as soon as git has created it', () => {
    expect(rulesOf([], ['git init --bare p && cp x p/hooks/x'])).toEqual(['protected-path']);
    expect(rulesOf([], ['git clone --bare https://example.com/p', { write: 'p.git/config' }])).toEqual([
      'allowed',
      'protected-path',
    ]);
  });

  it('must not turn another directory into one by a copy', () => {
    for (const command of ['cp -rn b/. p/', 'mv b/* p/', 'mv b/HEAD b/objects b/refs p/'])
      expect(rulesOf([...BARE, 'p/hooks/x'], [command]), command).toEqual(['protected-path']);
  });

  it('does not include an ordinary directory', () => {
    for (const write of [
      'src/config',
      'src/hooks/use-x.ts',
      'src/objects/a.ts',
      'notes/HEAD',
      'src/head/x.ts',
      'p/commondir',
    ])
      expect(rulesOf(['src/refs/a.ts'], [{ write }]), write).toEqual(['allowed']);
    expect(rulesOf([], ['git init --bare remote.git && git clone remote.git work'])).toEqual(['allowed']);
  });

  it('is not protected if the files of git are not', () => {
    expect(rulesOf(BARE, [{ write: 'b/config' }], ['deploy/**'])).toEqual(['allowed']);
  });
});

describe('the reason', () => {
  const open = (...there: readonly string[]) =>
    new BareRepositories({
      kindOf: (path) => {
        if (there.includes(`${path}/`)) return 'directory';
        return there.includes(path) ? 'other' : 'nothing';
      },
    });

  it('names the part that may not be written', () => {
    const bare = open('b/HEAD', 'b/objects/', 'b/refs/');
    expect(bare.refuses('b/hooks/x')).toBe('hooks of the repository in this directory');
    expect(bare.refuses('b/config')).toBe('config of the repository in this directory');
    expect(bare.refuses('b/commondir')).toBe('commondir makes a repository of its directory');
    expect(open('c/HEAD').refuses('c/Refs/x')).toBe('Refs makes a repository of its directory');
    expect(open('d/objects/').refuses('d/HEAD')).toBe('HEAD makes a repository of its directory');
    expect(open('d/hooks/').refuses('d/HEAD')).toBe('HEAD makes a repository of its directory');
    expect(open('objects/').refuses('HEAD')).toBeUndefined();
    expect(open('./objects/').refuses('HEAD')).toBe('HEAD makes a repository of its directory');
    expect(open().refuses('b/HEAD')).toBeUndefined();
    expect(bare.refuses('.git/config')).toBeUndefined();
    expect(open('.git/HEAD').refuses('.git/hooks/x')).toBeUndefined();
    expect(bare.refuses('b/config/x')).toBeUndefined();
  });

  it('knows what earlier calls wrote', () => {
    const bare = open();
    expect([bare.refuses('p/HEAD'), bare.refuses('p/config')]).toEqual([
      undefined,
      'config of the repository in this directory',
    ]);
    expect([bare.refuses('q/config'), bare.refuses('q/HEAD')]).toEqual([
      undefined,
      'HEAD makes a repository of its directory',
    ]);
  });

  it('is given for a directory that is filled, changed or made', () => {
    const there = 'the repository in this directory';
    expect(open('b/HEAD').refusesFilling('b')).toBe(there);
    expect(open('b/objects/', 'b/refs/', 'b/config').refusesFilling('b')).toBe(there);
    expect(open('b/objects/', 'b/refs/', 'b/hooks/').refusesFilling('b')).toBe(there);
    expect(open('b/objects/', 'b/refs/', 'b/config/').refusesFilling('b')).toBeUndefined();
    expect(open('b/objects/', 'b/config').refusesFilling('b')).toBeUndefined();
    expect(open('b/objects/', 'b/refs/').refusesFilling('b')).toBeUndefined();
    expect(open('b/HEAD', 'b/refs/').refusesChanging('b')).toBe(there);
    expect(open('b/HEAD').refusesChanging('b')).toBeUndefined();
    expect(open('b/refs/').refusesChanging('b')).toBeUndefined();
    expect(open('b/config').refusesMaking('b')).toBe('config of the repository this makes');
    expect(open('b/hooks/').refusesMaking('b')).toBe('hooks of the repository this makes');
    expect(open('b/commondir').refusesMaking('b')).toBe('commondir of the repository this makes');
    expect(open('b/HEAD', 'b/objects/', 'b/refs/', 'b/config').refusesMaking('b')).toBeUndefined();
    expect(open('a/.git/config').refusesMaking('a/.git')).toBeUndefined();
  });

  it('is given for a directory that git will make', () => {
    const bare = open();
    expect(bare.refusesMaking('b')).toBeUndefined();
    expect([bare.refusesFilling('b'), bare.refusesChanging('b'), bare.refuses('b/refs/x')]).toEqual([
      'the repository in this directory',
      'the repository in this directory',
      'refs makes a repository of its directory',
    ]);
  });
});
