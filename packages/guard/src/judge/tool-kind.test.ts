import { describe, expect, it } from 'vitest';
import { testPolicy } from '../testing.ts';
import { yardstickMs } from '../../../../tests/support/yardstick.ts';
import { toolName } from './tool-kind.ts';

const kindOf = (name: string) => toolName(name, testPolicy()).kind;

describe('the name of a tool', () => {
  it('takes a name that is too long to be matched for a name of a writer, in no time', () => {
    const policy = testPolicy({ customToolPatterns: [/a*a*a*b/i] });
    const before = process.cpuUsage();
    expect(toolName(`get_${'a'.repeat(2_000)}`, policy).kind).toBe('write');
    expect(process.cpuUsage(before).user / 1_000 / yardstickMs()).toBeLessThan(100);
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
