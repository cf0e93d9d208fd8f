import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useBench } from '../use-bench.ts';

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
