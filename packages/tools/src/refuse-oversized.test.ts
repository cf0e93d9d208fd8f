import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { callTool } from './call-tool.ts';
import { makeBench } from './testing.ts';
import { TOOLSETS, type ToolsetName } from './toolset-names.ts';

/** The result of a write whose content was too large to receive. */
async function refuse(toolset: ToolsetName, name: string, omittedBytes: Record<string, number>) {
  const bench = makeBench(toolset);
  try {
    const { ok, data, text } = await callTool(bench.table, { name, input: { path: 'a' }, omittedBytes });
    expect(readdirSync(bench.scratch.workspace)).toEqual([]);
    return { ok, data, ...(text !== undefined && { text }) };
  } finally {
    bench.close();
  }
}

const TOO_LARGE = 'Content size 99999999 exceeds limit of 10485760 bytes';

it.each([
  ['full', 'write_file'],
  ['full', 'append_file'],
  ['files', 'write_file'],
] as const)('content that was not received is refused as %s’s %s refuses it', async (toolset, name) => {
  const data = { error: TOO_LARGE, path: 'a' };
  expect(await refuse(toolset, name, { content: 99_999_999 })).toEqual({ ok: false, data });
});

it('content that was not received is refused with the text of basic', async () => {
  const error = `failed to write file: ${TOO_LARGE}`;
  expect(await refuse('basic', 'write_file', { content: 99_999_999 })).toEqual({
    ok: false,
    data: { error },
    text: error,
  });
});

it('another argument that was not received is named', async () => {
  const error = 'The arguments are too large: old_string has 7 bytes, new_string has 9 bytes. Send less at once.';
  const { data } = await refuse('full', 'edit_file', { old_string: 7, new_string: 9 });
  expect(data).toEqual({ error, path: 'a' });
});

it('descriptions name no tool that the caller does not have', () => {
  const benches = TOOLSETS.flatMap((toolset) => [makeBench(toolset), makeBench(toolset, [], { readOnly: true })]);
  const every = new Set(benches.flatMap(({ table }) => table.tools.map(({ name }) => name)));
  for (const { table, close } of benches) {
    const own = new Set(table.tools.map(({ name }) => name));
    const foreign = [...every].filter((name) => !own.has(name));
    for (const { name, description } of table.tools)
      expect(
        foreign.filter((one) => new RegExp(`(?<![\\w-])${one}(?![\\w-])`).test(description)),
        name,
      ).toEqual([]);
    close();
  }
});
