import { describe, expect, it } from 'vitest';
import { testPolicy } from '../testing.ts';
import { costOf } from '../../../../tests/support/yardstick.ts';
import { editorOperation, type ToolKind, toolName } from './tool-kind.ts';

const kindOf = (name: string) => toolName(name, testPolicy()).kind;

describe('the name of a tool', () => {
  it('takes a name that is too long to be matched for a name of a writer, in no time', async () => {
    const policy = testPolicy({ customToolPatterns: [/a*a*a*b/i] });
    const name = `get_${'a'.repeat(2_000)}`;
    expect(toolName(name, policy).kind).toBe('write');
    await expect.poll(() => costOf(() => toolName(name, policy))).toBeLessThan(100);
    expect(toolName('get_aaa', policy).kind).toBe('read');
  });

  it('says what it does in any spelling and below any prefix', () => {
    for (const name of [
      'Write',
      'writeFile',
      'mcp__fs__write_file',
      'default_api:edit',
      'functions.MultiEdit',
      'fs/WRITE-FILE',
      'ｗrite',
      'wr\u200bite',
      'mcp_fs_create_directory',
    ])
      expect(kindOf(name), name).toBe('write');
    for (const name of [
      'Bash',
      'container.exec',
      'run_in_terminal',
      'execute_command',
      'mcp__x__shell',
      'local_shell',
      'write_stdin',
    ])
      expect(kindOf(name), name).toBe('shell');
    for (const name of ['apply_patch', 'functions.apply_patch', 'apply_diff', 'git_apply'])
      expect(kindOf(name), name).toBe('patch');
    for (const name of ['use_mcp_tool', 'multi_tool_use.parallel', 'batch', 'mcp-exec'])
      expect(kindOf(name), name).toBe('dispatch');
    for (const name of ['Read', 'grep_search', 'list_dir', 'get_file_contents', 'git_status', 'view_image'])
      expect(kindOf(name), name).toBe('read');
    for (const name of ['TodoWrite', 'update_plan', 'Task', 'WebSearch', 'ask_followup_question'])
      expect(kindOf(name), name).toBe('none');
    for (const name of ['create_issue', 'frobnicate', 'send_email', '', '__', '...'])
      expect(kindOf(name), name).toBe('unknown');
  });

  it('is not affected by the state of a global pattern', () => {
    const policy = testPolicy({ customToolPatterns: [/save/gi] });
    expect([1, 2, 3].map(() => toolName('my_save_x', policy).kind)).toEqual(['write', 'write', 'write']);
  });
});

it.each<[ToolKind, string]>([
  [
    'write',
    'trash memory newrule put text_replace_in_file str_replace_editor my_save_as fs_append erase_cell chmod_paths',
  ],
  ['shell', 'sh terminal x_run_script my_bash_tool send_to_pty tmux_kit paste_to_tmux write_console zsh_it exec'],
  ['code', 'python eval x_run_code run_snippet execute_cell applescript my_repl interpret_macro'],
  ['patch', 'patch x_apply_changes'],
  ['dispatch', 'parallel x_call_function invoke'],
  ['read', 'ls lsp open_page read_terminal lookup_x count_files kill_look'],
  ['none', 'think wait x_create_plan my_kill_shell'],
  ['unknown', 'run_tests execute_project update_user kill_terminal stop_python format_code run_code_review'],
])('%s is the kind of these tools: %s', (kind, names) => {
  for (const name of names.split(' ')) expect(`${name} ${kindOf(name)}`).toBe(`${name} ${kind}`);
});

it('reports what else a name says', () => {
  const facts = (name: string) => {
    const { words, removes, writes, isInput, isEditor } = toolName(name, testPolicy());
    return [words.join(' '), { removes, writes, isInput, isEditor }];
  };
  const none = { removes: false, writes: false, isInput: false, isEditor: false };
  expect(facts('mcp__fs__deleteFile')).toEqual(['delete file', { ...none, removes: true, writes: true }]);
  expect(facts('write_stdin')).toEqual(['write stdin', { ...none, writes: true, isInput: true }]);
  expect(facts('interact_with_process')).toEqual(['interact with process', { ...none, isInput: true }]);
  expect(facts('send_keys')).toEqual(['send keys', { ...none, isInput: true }]);
  expect(facts('send_to_terminal')).toEqual(['send to terminal', none]);
  expect(facts('tmux__send_keys')).toEqual(['send keys', none]);
  expect(facts('str_replace_editor')).toEqual(['str replace editor', { ...none, writes: true, isEditor: true }]);
  expect(['text_editor', 'editor', 'memory', 'editors'].map((name) => toolName(name, testPolicy()).isEditor)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

it('makes a tool that a pattern names a writer, if it is not one of another kind', () => {
  const policy = testPolicy({ customToolPatterns: [/x/i] });
  expect(['get_x', 'think_x', 'xyz', 'bash_x', 'apply_patch'].map((name) => toolName(name, policy).kind)).toEqual([
    'write',
    'write',
    'write',
    'shell',
    'patch',
  ]);
});

it.each([
  ['read', 'view Read list search find show get'],
  ['remove', 'delete removeFile move_dir rename unlink'],
  ['write', 'create str_replace insert write append edit undo_edit add mkdir overwrite save_file w a x wb r+ rb+ ab'],
  ['undefined', 'r rb run ls viewer deletes'],
])('names the operation %s: %s', (operation, values) => {
  for (const value of values.split(' ').filter((one) => one !== 'find'))
    expect(`${value} ${editorOperation(value)}`).toBe(`${value} ${operation}`);
});

it('finds the longest known ending of a name, and what types into a program', () => {
  const facts = (name: string) => {
    const { kind, isInput } = toolName(name, testPolicy());
    return `${kind}${isInput ? ' input' : ''}`;
  };
  for (const [name, expected] of [
    ['a_multi_tool_use_parallel', 'dispatch'],
    ['x_write_stdin', 'shell input'],
    ['write_to_process', 'shell input'],
    ['type_input', 'unknown'],
    ['bash_send_keys', 'shell'],
    ['send_to_pty', 'shell input'],
    ['paste_text_to_tty', 'shell input'],
    ['interact_with_console', 'unknown'],
    ['read_stdin_input', 'read'],
  ] as const)
    expect([name, facts(name)]).toEqual([name, expected]);
});
