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
    expect(source({ tool: 'upload' })).toBe('In the browser');
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

it('names each tool, each kind of change and each way of a change', () => {
  const tools = [
    'template',
    'write_file',
    'edit_file',
    'append_file',
    'create_dir',
    'move_path',
    'copy_path',
    'delete_path',
    'undo',
    'save_component',
    'generate_component',
    'remove_component',
  ];
  expect(tools.map((tool) => textOf(tool, null, 'a', 'b'))).toEqual([
    'Added with a template: a, b',
    'Wrote a, b',
    'Edited a, b',
    'Appended to a, b',
    'Created a, b',
    'Moved a → b',
    'Copied a → b',
    'Deleted a, b',
    'Undid a change of a, b',
    'Saved the component a, b',
    'The assistant wrote the component a, b',
    'Deleted the component a, b',
  ]);
  const kinds = ['create', 'update', 'append', 'delete', 'move', 'mkdir', null] as const;
  expect(kinds.map((kind) => textOf('other', kind, 'a'))).toEqual([
    'Created a',
    'Changed a',
    'Appended to a',
    'Deleted a',
    'Moved a',
    'Created a',
    'Changed a',
  ]);
  const ways = ['mcp', 'page', 'api', 'gateway', 'cli', 'assistant', 'webhook', 'schedule', 'link'] as const;
  const plain = { tool: 'upload', client: null, key: null };
  const flow = { id: 'f', name: 'F', runId: null, isRunKept: true };
  expect(ways.flatMap((via) => changeSource({ ...plain, via, flow: null }))).toEqual([
    'MCP client',
    'In the browser',
    'API key',
    'Gateway',
    'Command line',
    'Assistant',
    'Webhook',
    'Schedule',
    'Public link',
  ]);
  expect(ways.map((via) => changeSource({ ...plain, via, flow }).at(-1))).toEqual([
    'by an MCP client',
    'in the browser',
    'over the API',
    'by the gateway',
    'on the command line',
    'by the assistant',
    'by a webhook',
    'by a schedule',
    'by a visitor of the public link',
  ]);
});

it('leads to no file of a change with more paths than it lists', () => {
  const change = { tool: 'write_file', paths: ['a'] };
  const kinds = ['create', 'update', 'append', 'move'] as const;
  expect(kinds.map((kind) => changedFile({ ...change, kind, morePaths: 0 }))).toEqual(['a', 'a', 'a', undefined]);
  expect(changedFile({ ...change, kind: 'create', morePaths: 1 })).toBeUndefined();
});
