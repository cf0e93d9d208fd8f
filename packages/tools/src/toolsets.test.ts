import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { testDir } from '../../../tests/support/temp-dir.ts';
import { type Bench, makeBench } from './testing.ts';
import type { AnyTool } from './tool.ts';
import { TOOLSETS, type ToolsetName } from './toolset-names.ts';
import { makeToolset } from './toolsets.ts';
import { boundWorkspace } from './workspace-source.ts';

let bench: Bench;
afterEach(() => bench.close());
const namesOf = (toolset: ToolsetName, readOnly = false): string[] => {
  bench?.close();
  bench = makeBench(toolset, [], { readOnly });
  return bench.table.tools.map(({ name }) => name);
};

describe('GetTools', () => {
  it('should_register_all_five_tools, in the order of the contract', () => {
    expect(namesOf('files')).toEqual(['read_file', 'glob_search', 'grep_search', 'write_file', 'edit_file']);
  });

  it('should_not_register_write_and_edit_in_read_only: they are missing, not refused', async () => {
    expect(namesOf('files', true)).toEqual(['read_file', 'glob_search', 'grep_search']);
    expect((await bench.call('write_file', { path: 'a', content: 'x' })).data.error).toBe(
      'Unknown tool: write_file. Available tools: read_file, glob_search, grep_search',
    );
    expect(bench.workspace.list('.').total).toBe(0);
  });

  it('the other sets have their tools, and read_only removes every tool that changes files', () => {
    expect(namesOf('full')).toEqual([
      'read_file', 'read_many', 'read_media', 'list_dir', 'get_file_tree', 'file_info', 'glob_search', 'grep_search',
      'write_file', 'edit_file', 'append_file', 'create_dir', 'move_path', 'copy_path', 'delete_path',
    ]); // biome-ignore format: in rows
    expect(namesOf('full', true)).toEqual([
      'read_file',
      'read_many',
      'read_media',
      'list_dir',
      'get_file_tree',
      'file_info',
      'glob_search',
      'grep_search',
    ]);
    expect(namesOf('basic')).toEqual(['read_file', 'write_file', 'list_dir']);
    expect(namesOf('basic', true)).toEqual(['read_file', 'list_dir']);
    expect(namesOf('explore')).toEqual(['get-file-tree', 'list-files', 'read-file', 'search-files']);
    expect(namesOf('explore', true)).toHaveLength(4);
  });

  it('every_tool_must_have_non_empty_tags, its own name first', () => {
    for (const toolset of TOOLSETS) {
      namesOf(toolset);
      for (const tool of bench.table.tools) expect(tool.tags[0]).toBe(tool.name);
    }
  });

  it('every tool has a strict JSON schema, a description and correct annotations', () => {
    for (const toolset of TOOLSETS) {
      namesOf(toolset);
      for (const tool of bench.table.tools) {
        const schema = z.toJSONSchema(tool.input, { io: 'input' });
        expect(schema, tool.name).toMatchObject({ type: 'object', additionalProperties: false });
        expect(tool.description.length).toBeGreaterThan(10);
        expect(tool.annotations.openWorldHint).toBe(false);
        expect(tool.annotations.readOnlyHint && tool.annotations.destructiveHint).toBe(false);
        if (tool.structured) expect(tool.output, tool.name).toBeDefined();
      }
    }
  });

  it('delete_path promises undo only for a workspace with a trash, and is right', async () => {
    for (const trashDir of [undefined, testDir()]) {
      bench?.close();
      bench = makeBench('full', ['a.txt'], { workspace: trashDir === undefined ? {} : { trashDir } });
      const options = trashDir === undefined ? {} : { trashDir };
      const bound = makeToolset('full', boundWorkspace({ userId: () => 'ann', options }));
      for (const tools of [bench.table.tools, bound]) {
        const { description } = tools.find(({ name }) => name === 'delete_path') as AnyTool;
        expect(description.includes('The person can take it back')).toBe(trashDir !== undefined);
        expect(description.includes('It is gone for good')).toBe(trashDir === undefined);
      }
      const { data } = await bench.call('delete_path', { path: 'a.txt' });
      expect(data).toMatchObject({ status: 'deleted', undoable: trashDir !== undefined });
    }
  });

  it('a read-only workspace refuses writing tools of a table', async () => {
    bench.close();
    bench = makeBench('full', ['a.txt'], { workspace: { readOnly: true } });
    const calls: [string, object][] = [
      ['write_file', { path: 'b', content: 'x' }],
      ['edit_file', { path: 'a.txt', old_string: 'a', new_string: 'b' }],
      ['append_file', { path: 'a.txt', content: 'x' }],
      ['create_dir', { path: 'd' }],
      ['move_path', { source: 'a.txt', destination: 'b' }],
      ['copy_path', { source: 'a.txt', destination: 'b' }],
      ['delete_path', { path: 'a.txt' }],
    ];
    for (const [name, input] of calls)
      expect((await bench.call(name, input)).data.error, name).toBe('This workspace is read-only');
    expect((await bench.call('read_file', { path: 'a.txt' })).ok).toBe(true);
  });
});
