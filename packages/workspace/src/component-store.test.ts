import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type ComponentStore, openComponentStore } from './component-store.ts';
import { MAX_COMPONENT_BYTES } from './component-files.ts';
import type { ResolverKind } from './resolve/root.ts';
import { codeOf, makeScratch, type Scratch } from './testing.ts';
import { openWorkspace } from './workspace.ts';

const CODE = 'export class Sum extends Component {}\n';
const opened: { close(): void }[] = [];
const scratches: Scratch[] = [];

afterEach(() => {
  for (const each of opened.splice(0)) each.close();
  for (const each of scratches.splice(0)) each.remove();
});

function scratch(lines: readonly string[] = []): Scratch {
  const made = makeScratch(lines);
  scratches.push(made);
  return made;
}

function storeOf(dir: string, options: Parameters<typeof openComponentStore>[1] = {}): ComponentStore {
  const store = openComponentStore(dir, options);
  opened.push(store);
  return store;
}

describe.each<ResolverKind>(['openat2', 'walk', 'portable'])('stored components, resolver %s', (resolver) => {
  it('are written whole, read back, and removed', async () => {
    const { workspace } = scratch();
    const store = storeOf(workspace, { resolver });
    expect(await store.list()).toEqual({ components: [], skipped: [] });
    expect(existsSync(join(workspace, '.components'))).toBe(false);
    store.save('Sum', 'first', 'saved');
    store.save('Sum', CODE, 'saved');
    expect(await store.list()).toEqual({
      components: [{ className: 'Sum', code: CODE, origin: 'saved' }],
      skipped: [],
    });
    expect(readdirSync(join(workspace, '.components'))).toEqual(['Sum.ts']);
    expect(await store.remove('Sum')).toBe(true);
    expect(await store.remove('Sum')).toBe(false);
  });

  it.each([
    '../Evil',
    '..',
    'a/B',
    '/etc/passwd',
    'Sub/Name',
    'Sum.ts',
    'sum',
    'Sum\0',
    '.env',
    '.components',
    'Ünï',
    '',
    'Con',
    'Nul',
    'A'.repeat(65),
    'Sum ',
    'Sum\n',
  ])('refuse the name %j and touch nothing', async (name) => {
    const { workspace } = scratch();
    const store = storeOf(workspace, { resolver });
    expect(await codeOf(() => store.save(name, CODE, 'saved'))).toBe('invalid');
    expect(await codeOf(() => store.remove(name))).toBe('invalid');
    expect(readdirSync(workspace)).toEqual([]);
  });

  it.each([
    ['a link to outside', ['.components => $OUT']],
    ['a link inside', ['kept/Sum.ts = INSIDE', '.components => kept']],
    ['a link to nothing', ['.components => $OUT/none']],
    ['a file', ['.components = text']],
  ])('are never behind %s in the place of the directory', async (_, lines) => {
    const { workspace, outside } = scratch(lines);
    const store = storeOf(workspace, { resolver });
    expect(await codeOf(() => store.save('Sum', CODE, 'saved'))).not.toBe('done');
    const listed = await store.list().catch(() => undefined);
    expect(listed?.components ?? []).toEqual([]);
    expect(readdirSync(outside)).toEqual(['secret.txt']);
    if (existsSync(join(workspace, 'kept')))
      expect(readFileSync(join(workspace, 'kept/Sum.ts'), 'utf8')).toBe('INSIDE');
  });

  it('are neither read nor written through a link in the place of a file', async () => {
    const { workspace, outside } = scratch(['.components/', '.env = SECRET']);
    const at = join(workspace, '.components');
    writeFileSync(join(outside, 'Sum.ts'), 'OUTSIDE');
    symlinkSync(join(outside, 'Sum.ts'), join(at, 'Sum.ts'));
    symlinkSync('../.env', join(at, 'Env.ts'));
    const store = storeOf(workspace, { resolver });
    const { components, skipped } = await store.list();
    expect(components).toEqual([]);
    expect(skipped.map(({ file }) => file).sort()).toEqual(['Env.ts', 'Sum.ts']);
    await codeOf(() => store.save('Sum', CODE, 'saved'));
    expect(readFileSync(join(outside, 'Sum.ts'), 'utf8')).toBe('OUTSIDE');
    expect(readFileSync(join(workspace, '.env'), 'utf8')).toBe('SECRET');
  });
});

describe('stored components', () => {
  it('of one conversation are removed without those of others, also where two generated the same class', async () => {
    const { workspace } = scratch();
    const store = storeOf(workspace);
    store.save('Saved', CODE, 'saved');
    store.save('First', CODE, 'generated', 'one');
    store.save('Shared', 'old', 'generated', 'one');
    store.save('Shared', CODE, 'generated', 'two');
    store.save('Saved', 'covers', 'generated', 'two');
    store.save('Older', CODE, 'generated');
    const names = async () => (await store.list()).components.map(({ className }) => className);
    expect((await store.list()).components).toContainEqual({ className: 'Shared', code: CODE, origin: 'generated' });
    expect(await store.clearGenerated('one')).toBe(2);
    expect((await names()).sort()).toEqual(['Older', 'Saved', 'Shared']);
    expect((await store.list()).components.find(({ className }) => className === 'Saved')).toMatchObject({
      code: 'covers',
      coversSaved: true,
    });
    expect(await store.clearGenerated('../two')).toBe(0);
    expect(await store.clearGenerated('two')).toBe(2);
    expect(await store.clearGenerated()).toBe(1);
    expect(await names()).toEqual(['Saved']);
    expect(readdirSync(join(workspace, '.components'))).toEqual(['Saved.ts']);
  });

  it('of one conversation are not replaced by those of another one, and neither by what it saves', async () => {
    const { workspace } = scratch();
    const store = storeOf(workspace);
    const shown = async () => (await store.list()).components.map(({ code, origin }) => [code, origin]);
    const codeIn = async (conversation: string) => (await store.readGenerated('Sum', conversation))?.code;
    expect(await codeIn('a')).toBeUndefined();
    store.save('Sum', 'of a', 'generated', 'a');
    expect(await codeIn('c')).toBe('of a');
    store.save('Sum', 'of b', 'generated', 'b');
    expect([await codeIn('a'), await codeIn('b'), await codeIn('c')]).toEqual(['of a', 'of b', undefined]);
    expect(await shown()).toEqual([['of b', 'generated']]);
    store.save('Sum', 'of a', 'saved', 'a');
    expect(await shown()).toEqual([['of a', 'saved']]);
    expect(await store.readGenerated('Sum', 'b')).toMatchObject({ code: 'of b', coversSaved: true });
    store.save('Sum', 'of b, edited', 'generated', 'b');
    expect(await shown()).toEqual([['of b, edited', 'generated']]);
    // A page saves the code that it shows.
    store.save('Sum', 'of b, edited', 'saved');
    expect(readdirSync(join(workspace, '.components'))).toEqual(['Sum.ts']);
  });

  it('are shown newest first, also where the clock goes back', async () => {
    const { workspace } = scratch();
    const store = storeOf(workspace);
    store.save('Sum', 'first', 'generated', 'a');
    const [file = ''] = readdirSync(join(workspace, '.components'));
    const ahead = new Date(Date.now() + 3_600_000);
    utimesSync(join(workspace, '.components', file), ahead, ahead);
    store.save('Sum', 'second', 'generated', 'b');
    expect((await store.list()).components).toMatchObject([{ code: 'second' }]);
  });

  it('stay out of reach of the operations of a workspace', async () => {
    const { workspace } = scratch();
    storeOf(workspace).save('Sum', CODE, 'saved');
    const files = openWorkspace(workspace);
    opened.push(files);
    expect(await codeOf(() => files.readText('.components/Sum.ts'))).toBe('denied');
    expect(await codeOf(() => files.write('.components/Sum.ts', 'x'))).toBe('denied');
    expect(await codeOf(() => files.delete('.components', { recursive: true }))).toBe('denied');
    expect(files.list('.').entries).toEqual([]);
  });

  it('of a person survive the end of a session, and generated ones do not', async () => {
    const { workspace } = scratch();
    const store = storeOf(workspace);
    store.save('Sum', 'saved', 'saved');
    store.save('Sum', 'generated', 'generated');
    store.save('Other', 'generated', 'generated');
    store.save('Kept', 'generated', 'generated');
    store.save('Kept', 'saved', 'saved');
    expect((await store.list()).components).toEqual([
      { className: 'Kept', code: 'saved', origin: 'saved' },
      { className: 'Other', code: 'generated', origin: 'generated' },
      { className: 'Sum', code: 'generated', origin: 'generated', coversSaved: true },
    ]);
    expect(await store.clearGenerated()).toBe(2);
    expect((await store.list()).components.map(({ className, code }) => [className, code])).toEqual([
      ['Kept', 'saved'],
      ['Sum', 'saved'],
    ]);
  });

  it('count in the quota of the workspace', async () => {
    const { workspace } = scratch(['big.txt = 0123456789']);
    const store = storeOf(workspace, { quota: { maxBytes: 30 } });
    store.save('One', '0123456789', 'saved');
    expect(await codeOf(() => store.save('Two', '01234567890123456789', 'saved'))).toBe('quota');
    const files = openWorkspace(workspace, { quota: { maxBytes: 30 } });
    opened.push(files);
    expect(await codeOf(() => files.write('more.txt', '01234567890123456789'))).toBe('quota');
    expect((await files.usage()).bytes).toBe(20);
  });

  it('have at most 1 MiB and are not empty', async () => {
    const store = storeOf(scratch().workspace);
    expect(() => store.save('Sum', 'x'.repeat(MAX_COMPONENT_BYTES + 1), 'saved')).toThrow(
      'code size 1048577 bytes exceeds limit of 1048576 bytes',
    );
    expect(await codeOf(() => store.save('Sum', ' \n', 'saved'))).toBe('invalid');
    expect(() => store.save('A'.repeat(65), CODE, 'saved')).toThrow(
      'class_name length 65 exceeds max 64 (Windows MAX_PATH safeguard)',
    );
    store.save('Sum', 'x'.repeat(MAX_COMPONENT_BYTES), 'saved');
  });

  it('differ in more than the case of their names', async () => {
    const store = storeOf(scratch().workspace);
    store.save('SumRows', CODE, 'saved');
    expect(await codeOf(() => store.save('SUMRows', CODE, 'saved'))).toBe('exists');
  });

  it('leave out files that are not components, and say why', async () => {
    const { workspace } = scratch(['.components/Good.ts = code', '.components/notes.md', '.components/lower.ts']);
    const at = join(workspace, '.components');
    mkdirSync(join(at, 'Dir.ts'));
    writeFileSync(join(at, 'Large.ts'), 'x'.repeat(MAX_COMPONENT_BYTES + 1));
    writeFileSync(join(at, 'Bytes.ts'), Buffer.from([0xff, 0xfe, 0x00]));
    const { components, skipped } = await storeOf(workspace).list();
    expect(components.map(({ className }) => className)).toEqual(['Good']);
    expect(skipped.map(({ file }) => file).sort()).toEqual(['Bytes.ts', 'Dir.ts', 'Large.ts', 'lower.ts', 'notes.md']);
    expect(skipped.every(({ reason }) => reason.endsWith('.'))).toBe(true);
    expect(lstatSync(join(at, 'Large.ts')).isFile()).toBe(true);
  });

  it('are not changed in a workspace that is read-only', async () => {
    const { workspace } = scratch(['.components/Sum.ts = code']);
    const store = storeOf(workspace, { readOnly: true });
    expect(await codeOf(() => store.save('Sum', CODE, 'saved'))).toBe('read_only');
    expect(await codeOf(() => store.remove('Sum'))).toBe('read_only');
    expect((await store.list()).components).toHaveLength(1);
  });
});
