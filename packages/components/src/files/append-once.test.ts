import { NotYet, openWorkspace, type Workspace } from '@croft/workspace';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import type { Services } from '../services.ts';
import { type Appended, appendOnce } from './append-once.ts';

let dir: string;
let workspace: Workspace;
let services: Services;

beforeEach(() => {
  dir = testDir();
  workspace = openWorkspace(dir);
  const kept = new Map<string, unknown>();
  services = {
    now: () => new Date(),
    async remember<Value>(key: string, make: () => Value) {
      if (!kept.has(key)) kept.set(key, make());
      return kept.get(key) as Value;
    },
  };
});

afterEach(() => workspace.close());

const text = () => readFileSync(join(dir, 'log'), 'utf8');
const { signal } = new AbortController();
const addition = (content: Appended, stepKey = 'k', path = 'log') => ({ stepKey, path, content, signal });
const append = async (key: string, content: Appended) =>
  (await appendOnce(services, workspace, addition(content, key))).version;

describe('a step that appends', () => {
  it('adds its text once when it runs again, to a new file and to an existing one', async () => {
    const version = await append('k1', 'one\n');
    expect(await append('k1', 'one\n')).toBe(version);
    await append('k2', 'two\n');
    await append('k2', 'two\n');
    expect(text()).toBe('one\ntwo\n');
  });

  it('finds its text in a file of UTF-16 when it runs again', async () => {
    writeFileSync(join(dir, 'log'), Buffer.from('\ufeffone\n', 'utf16le'));
    const version = await append('k', 'zwölf\n');
    expect(await append('k', 'zwölf\n')).toBe(version);
    expect(readFileSync(join(dir, 'log'), 'utf16le')).toBe('\ufeffone\nzwölf\n');
  });

  it('makes its text from the content before it, also when it runs again', async () => {
    workspace.write('log', 'one\n');
    const counted = async (before: Buffer) => `${before.length}\n`;
    await append('k', counted);
    await append('k', counted);
    expect(text()).toBe('one\n4\n');
  });

  it('adds its text when it was interrupted before it did', async () => {
    workspace.write('log', 'one\n');
    await services.remember?.('k', () => ({ version: workspace.info('log').version, sizeBytes: 4 }));
    await append('k', 'two\n');
    expect(text()).toBe('one\ntwo\n');
  });

  it('adds its text where others add while it begins', async () => {
    const remember: Services['remember'] = async (_key, make) => {
      const value = make();
      workspace.append('log', 'of others\n');
      return value;
    };
    await appendOnce({ ...services, remember }, workspace, addition('one\n'));
    expect(text()).toBe('of others\none\n');
  });

  it('makes its text again where others add while it is made', async () => {
    let others = 3;
    const counted = async (before: Buffer) => {
      if (others-- > 0) workspace.append('log', 'x\n');
      return `${before.length}\n`;
    };
    await append('k', counted);
    expect(text()).toBe('x\nx\nx\n6\n');
  });

  it('makes each text once where many runs add at the same time, also after one that fails', async () => {
    let made = 0;
    const numbered = async (before: Buffer) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (++made === 3) throw new Error('no text');
      return `${before.length}\n`;
    };
    const all = await Promise.allSettled([...Array(10).keys()].map((key) => append(`k${key}`, numbered)));
    expect([made, all.filter(({ status }) => status === 'rejected').length]).toEqual([10, 1]);
    expect(text().split('\n').slice(0, 3)).toEqual(['0', '2', '4']);
  });

  it('adds nothing when others have added after it', async () => {
    await append('k', 'one\n');
    workspace.append('log', 'of others\n');
    await append('k', 'one\n');
    expect(text()).toBe('one\nof others\n');
  });

  it('refuses when the file changed so that it may have added its text or not', async () => {
    workspace.write('log', 'one\n');
    await services.remember?.('k', () => ({ version: workspace.info('log').version, sizeBytes: 4 }));
    workspace.append('log', 'of others\n');
    await expect(append('k', 'two\n')).rejects.toMatchObject({
      name: 'ComponentError',
      message: "'log' changed while this step was interrupted, so the text may have been added or not.",
      fix: 'Check the end of the file, add the text if it is missing, and run the rest of the flow.',
    });
    expect(text()).toBe('one\nof others\n');
  });

  it('keeps that a file did not exist, and gives the text and the version', async () => {
    let kept: unknown;
    const remember: Services['remember'] = async (_key, make) => {
      const value = make();
      kept = value;
      return value;
    };
    const added = await appendOnce(
      { ...services, remember },
      workspace,
      addition(async () => 'one\n'),
    );
    expect([kept, added]).toEqual([
      { version: null, sizeBytes: 0 },
      { text: 'one\n', version: workspace.info('log').version },
    ]);
    await appendOnce({ ...services, remember }, workspace, addition('two\n'));
    expect(kept).toEqual({ version: added.version, sizeBytes: 4 });
  });

  it.each<[string, Appended]>([
    ['a text', 'one\n'],
    ['what it makes of the content', async () => 'one\n'],
  ])('adds %s no more where the run is cancelled while it waits', async (_, content) => {
    const abort = new AbortController();
    const counted = Object.create(workspace) as Workspace;
    let tries = 0;
    counted.append = (...args) => {
      if (tries++ > 0) return workspace.append(...args);
      abort.abort();
      throw new NotYet('The storage of the user is counted.', Promise.resolve());
    };
    const { remember: _remember, ...others } = services;
    const adding = appendOnce(others, counted, { ...addition(content), signal: abort.signal });
    await expect(adding).rejects.toMatchObject({ code: 'cancelled' });
    expect(() => text()).toThrow('ENOENT');
  });

  it('appends each time for a run that keeps no facts', async () => {
    const { remember: _, ...others } = services;
    for (let times = 0; times < 2; times++) await appendOnce(others, workspace, addition('one\n'));
    expect(text()).toBe('one\none\n');
  });

  it('fails as the workspace does, and gives up where the file changes each time', async () => {
    workspace.write('dir/file', 'x');
    for (const content of ['one\n', async () => 'one\n'])
      await expect(
        appendOnce(services, workspace, addition(content, `k${typeof content}`, 'dir')),
      ).rejects.toMatchObject({
        name: 'WorkspaceError',
      });
    let made = 0;
    const always = async () => {
      workspace.append('log', 'x\n');
      return `${++made}\n`;
    };
    await expect(append('k', always)).rejects.toMatchObject({ code: 'changed' });
    expect(made).toBe(100);
    await expect(
      append('k2', async () => {
        throw new Error('no text');
      }),
    ).rejects.toThrow('no text');
  });
});
