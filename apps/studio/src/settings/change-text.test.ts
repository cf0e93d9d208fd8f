import { describe, expect, it } from 'vitest';
import { changedFile, changeSource, changeText } from './change-text.ts';

const textOf = (tool: string, kind: Parameters<typeof changeText>[0]['kind'], ...paths: string[]) => {
  const { verb, object } = changeText({ tool, kind, paths });
  return `${verb} ${object}`;
};

describe('a change of the activity log', () => {
  it.each([
    ['upload', 'create', 'Uploaded a.txt'],
    ['upload', 'update', 'Replaced a.txt'],
    ['template', 'create', 'Added with a template: a.txt'],
    ['flow', 'create', 'A run created a.txt'],
    ['flow', 'update', 'A run wrote a.txt'],
    ['flow', 'delete', 'A run deleted a.txt'],
    ['write_file', 'create', 'Created a.txt'],
    ['write_file', 'update', 'Wrote a.txt'],
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

  it('leads to its file only where one was written', () => {
    const file = (tool: string, kind: Parameters<typeof changeText>[0]['kind'], ...paths: string[]) =>
      changedFile({ tool, kind, paths, morePaths: 0 });
    expect(file('flow', 'append', 'notes/a.md')).toBe('notes/a.md');
    expect(file('flow', 'create', 'a.md', 'b.md')).toBeUndefined();
    expect(file('delete_path', 'delete', 'a.md')).toBeUndefined();
    expect(file('undo', 'update', 'a.md')).toBeUndefined();
    expect(file('save_component', null, '.components/A.ts')).toBeUndefined();
  });

  const source = (change: Partial<Parameters<typeof changeSource>[0]>) =>
    changeSource({ tool: 'write_file', via: 'page', client: null, key: null, flow: null, ...change })
      .map((part) => (typeof part === 'string' ? part : `[${part.name}](${part.to ?? ''})`))
      .join('');

  it('names its maker, and the API key', () => {
    expect(source({ tool: 'upload' })).toBe('This page');
    expect(source({ via: 'api' })).toBe('API key');
    expect(source({ via: 'api', key: 'CI' })).toBe('API key [CI]()');
    expect(source({ via: 'mcp' })).toBe('MCP client');
    expect(source({ via: 'mcp', client: 'Zed', key: 'laptop' })).toBe('[Zed]() with the API key [laptop]()');
    expect(source({ via: 'assistant', client: 'assistant 7' })).toBe('Assistant');
  });

  it('names the flow of a run, how it was started, and leads to the run while it is kept', () => {
    const flow = { id: 'f', name: 'Daily', runId: 'r/1', isRunKept: true };
    const run = (change: Parameters<typeof source>[0]) => source({ tool: 'flow', flow, ...change });
    expect(run({ via: 'webhook' })).toBe('Flow [Daily](/runs/r%2F1), started by a webhook');
    expect(run({ flow: { ...flow, isRunKept: false } })).toBe('Flow [Daily](), started in the browser');
    expect(run({ via: 'api', key: 'CI' })).toBe('Flow [Daily](/runs/r%2F1), started with the API key [CI]()');
    expect(run({ via: 'mcp', client: 'Zed', key: 'laptop' })).toBe(
      'Flow [Daily](/runs/r%2F1), started by [Zed]() with the API key [laptop]()',
    );
    expect(source({ tool: 'flow', via: 'cli', flow: { id: null, name: 'A', runId: null, isRunKept: false } })).toBe(
      'Flow [A](), started on the command line',
    );
    // An older build recorded the run.
    expect(source({ tool: 'flow' })).toBe('Flow');
  });
});
