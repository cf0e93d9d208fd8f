import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, makeBench } from '../testing.ts';
import { REPLACES } from '../tool.ts';
import { useBench } from '../use-bench.ts';
import { editFileTool } from './edit-file.ts';

const { setUp, call: callTool, host, text } = useBench('full');

describe('edit_file', () => {
  const edit = (input: object) => callTool('edit_file', { path: 'a.txt', ...input });

  it('applies several edits in order, all or none', async () => {
    setUp(['a.txt = one two three']);
    expect(
      (
        await edit({
          edits: [
            { old_string: 'one', new_string: 'two' },
            { old_string: 'two', new_string: '2', replace_all: true },
          ],
        })
      ).data,
    ).toMatchObject({ replacements: 3 });
    expect(text('a.txt')).toBe('2 2 three');
    expect(
      (
        await edit({
          edits: [
            { old_string: '2 2', new_string: 'x' },
            { old_string: 'nope', new_string: 'y' },
          ],
        })
      ).data.error,
    ).toBe('old_string not found in file: a.txt');
    expect(text('a.txt')).toBe('2 2 three');
  });

  it('previews with dry_run: the same diff, the old version, no change', async () => {
    setUp(['a.txt = one\\ntwo\\n']);
    const { version } = (await callTool('file_info', { path: 'a.txt' })).data;
    const preview = (await edit({ old_string: 'two', new_string: '2', dry_run: true })).data;
    expect(preview).toMatchObject({ status: 'preview', version });
    expect(text('a.txt')).toBe('one\ntwo\n');
    expect((await edit({ old_string: 'two', new_string: '2' })).data.diff).toBe(preview.diff);
  });

  it('accepts either one replacement or a list, not both', async () => {
    setUp(['a.txt = one']);
    for (const input of [
      {},
      { old_string: 'one' },
      { new_string: 'x' },
      { old_string: 'one', new_string: 'x', edits: [{ old_string: 'a', new_string: 'b' }] },
      { edits: [{ old_string: 'one', new_string: 'x' }], replace_all: true },
    ]) {
      expect((await edit(input)).data.error).toMatch(/^Pass either old_string and new_string/);
    }
    expect((await edit({ edits: [] })).data.error).toMatch(/^Invalid arguments: edits/);
    for (const same of [
      { old_string: 'one', new_string: 'one' },
      { edits: [{ old_string: 'one', new_string: 'one', replace_all: true }] },
    ])
      expect((await edit(same)).data.error).toBe('old_string and new_string are the same');
  });

  it('names the nearest text with its line, and the lines of an ambiguous match', async () => {
    setUp(['a.txt = first\\n  const total = sum(items);\\nlast\\nlast']);
    expect((await edit({ old_string: 'const total = sum(item);', new_string: 'x' })).data).toEqual({
      error: 'old_string not found in file: a.txt',
      path: 'a.txt',
      nearest: { line: 2, text: '  const total = sum(items);' },
      hint: expect.stringContaining('copy old_string exactly'),
    });
    expect((await edit({ old_string: 'last', new_string: 'x' })).data).toMatchObject({
      matches: 2,
      lines: [3, 4],
      hint: expect.stringContaining('replace_all'),
    });
  });

  it('for any text and edit, the result equals the dry run', async () => {
    const call = setUp(['a.txt']);
    const piece = fc.constantFrom('a', 'b', 'ab', '\n', '\r\n', 'line', ' ', 'é', '$&');
    const texts = fc.array(piece, { minLength: 1, maxLength: 30 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(texts, piece, piece, fc.boolean(), async (before, old_string, new_string, replace_all) => {
        writeFileSync(host('a.txt'), before);
        const input = { path: 'a.txt', old_string, new_string, replace_all };
        const preview = await call('edit_file', { ...input, dry_run: true });
        expect(text('a.txt')).toBe(before);
        const done = await call('edit_file', input);
        expect([done.ok, done.data.diff, done.data.replacements, done.data.error]).toEqual([
          preview.ok,
          preview.data.diff,
          preview.data.replacements,
          preview.data.error,
        ]);
        if (!done.ok) expect(text('a.txt')).toBe(before);
        // Without line endings, the replacement equals that of Node.
        else if (!/[\r\n]/.test(before + old_string + new_string))
          expect(text('a.txt')).toBe(
            replace_all ? before.split(old_string).join(new_string) : before.replace(old_string, () => new_string),
          );
      }),
      { numRuns: 300 },
    );
  });
});

describe('the result of edit_file', () => {
  let bench: Bench | undefined;
  afterEach(() => {
    bench?.close();
    bench = undefined;
  });
  const edit = async (flavour: 'files' | 'full', lines: readonly string[], input: object) => {
    bench?.close();
    bench = makeBench(flavour, lines);
    return bench.call('edit_file', { path: 'a.txt', ...input });
  };

  it('has a diff and the new version in full', async () => {
    const { ok, data, changes } = await edit('full', ['a.txt = one\\ntwo\\n'], { old_string: 'two', new_string: '2' });
    const [change] = changes ?? [];
    expect([ok, data, changes?.length, change?.kind]).toEqual([
      true,
      {
        status: 'ok',
        path: 'a.txt',
        replacements: 1,
        diff: '--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
        version: change?.after,
      },
      1,
      'update',
    ]);
    const old = await edit('full', ['a.txt = one'], { old_string: 'one', new_string: '1', expected_version: '1-2-3' });
    expect([old.ok, bench?.workspace.info('a.txt').sizeBytes]).toEqual([false, 3]);
  });

  it('has a diff that is cut where it does not fit', async () => {
    const { data } = await edit('full', ['a.txt = one'], { old_string: 'one', new_string: 'x\n'.repeat(500_000) });
    expect([data.truncated, data.replacements]).toEqual([true, 1]);
    expect(JSON.stringify(data).length).toBeGreaterThan(1_000_000);
  });

  it('has the texts of the call in files, unless they are too large', async () => {
    const texts = { old_string: 'o', new_string: '0' };
    const done = { status: 'ok', path: 'a.txt', replacements: 2 };
    expect((await edit('files', ['a.txt = oo'], { ...texts, replace_all: true })).data).toEqual({ ...done, ...texts });
    const same = { old_string: 'oo', new_string: 'oo' };
    expect((await edit('files', ['a.txt = oo'], same)).data).toEqual({ ...done, replacements: 1, ...same });
    const large = { old_string: 'oo', new_string: 'x'.repeat(600_000) };
    expect((await edit('files', ['a.txt = oo'], large)).data).toEqual({ ...done, replacements: 1, truncated: true });
  });

  it('of a failure has a hint in full, and the number of matches in both', async () => {
    const missing = { old_string: 'none', new_string: 'x' };
    const twice = { old_string: 'o', new_string: 'x' };
    expect((await edit('files', ['a.txt = oo'], missing)).data).toEqual({
      error: 'old_string not found in file: a.txt',
      path: 'a.txt',
    });
    expect((await edit('full', ['a.txt = oo'], missing)).data).toEqual({
      error: 'old_string not found in file: a.txt',
      path: 'a.txt',
      hint: 'Read the file and copy old_string exactly, with its indentation.',
    });
    const error = (await edit('files', ['a.txt = oo'], twice)).data;
    expect(error).toEqual({ error: expect.stringContaining('a.txt'), path: 'a.txt', matches: 2 });
    expect((await edit('full', ['a.txt = oo'], twice)).data).toEqual({
      ...error,
      lines: [1, 1],
      hint: 'Add surrounding lines to old_string until it occurs once, or pass replace_all.',
    });
    expect((await edit('full', [], twice)).data).toEqual({ error: 'File not found: a.txt', path: 'a.txt' });
    expect((await edit('full', ['a.txt = oo'], {})).data).toEqual({
      error: 'Pass either old_string and new_string (with replace_all), or edits, each with its own replace_all',
      path: 'a.txt',
    });
  });

  it('follows the description of its set', () => {
    const described = (flavour: 'files' | 'full') => {
      const {
        run: _,
        failure: __,
        input,
        paths,
        ...tool
      } = editFileTool({ flavour } as Parameters<typeof editFileTool>[0]);
      expect(paths?.({ path: 'a' } as never)).toEqual(['a']);
      const { properties } = input.toJSONSchema() as { properties: Record<string, { description: string }> };
      return [tool, Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, one.description]))];
    };
    const tool = { name: 'edit_file', title: 'Edit file', tags: ['edit_file'], annotations: REPLACES };
    const texts = {
      path: 'Path to the file, relative to the workspace root.',
      old_string: 'Exact string to replace.',
      new_string: 'Text to put in its place.',
      replace_all: 'Replace every occurrence.',
    };
    expect(described('files')).toEqual([
      {
        ...tool,
        description:
          'Replace an exact string in a file. Fails when old_string is missing, or occurs more than once without replace_all.',
      },
      texts,
    ]);
    expect(described('full')).toEqual([
      {
        ...tool,
        description:
          'Replace exact text in a file and return a unified diff. old_string must occur exactly once unless replace_all is true. Several edits are applied all or none; dry_run previews. If the text is not found, the nearest text and its line come back.',
      },
      {
        ...texts,
        edits: 'Several replacements, applied in order, all or none. Instead of old_string and new_string.',
        dry_run: 'Show the diff and change nothing.',
        expected_version: 'Version from an earlier read. The call is refused if the file has changed since.',
      },
    ]);
  });
});
