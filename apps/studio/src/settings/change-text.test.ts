import { describe, expect, it } from 'vitest';
import { changeSource, changeText } from './change-text.ts';

const textOf = (tool: string, kind: Parameters<typeof changeText>[0]['kind'], ...paths: string[]) => {
  const { verb, object } = changeText({ tool, kind, paths });
  return `${verb} ${object}`;
};

describe('a change of the activity log', () => {
  it.each([
    ['upload', 'create', 'Uploaded a.txt'],
    ['upload', 'update', 'Replaced a.txt'],
    ['template', 'create', 'Added with a template: a.txt'],
    ['flow', 'create', 'A run wrote a.txt'],
    ['flow', 'update', 'A run wrote a.txt'],
    ['flow', 'delete', 'A run deleted a.txt'],
    ['edit_file', 'update', 'Edited a.txt'],
    ['write-file', 'update', 'Changed a.txt'],
    ['some_new_tool', 'delete', 'Deleted a.txt'],
  ] as const)('of %s, %s: %s', (tool, kind, text) => {
    expect(textOf(tool, kind, 'a.txt')).toBe(text);
  });

  it('names components, and both paths of a move', () => {
    expect(textOf('save_component', null, '.components/Shout.ts')).toBe('Saved the component Shout');
    expect(textOf('remove_component', null, '.components/Shout.ts')).toBe('Deleted the component Shout');
    expect(textOf('move_path', 'move', 'a', 'b')).toBe('Moved a → b');
  });

  it('names the flow as the source of what a run wrote', () => {
    expect(changeSource({ tool: 'flow', via: 'page', client: null })).toBe('Flow');
    expect(changeSource({ tool: 'upload', via: 'page', client: null })).toBe('This page');
    expect(changeSource({ tool: 'write_file', via: 'mcp', client: 'Zed' })).toBe('Zed');
  });
});
