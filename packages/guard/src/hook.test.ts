import { describe, expect, it } from 'vitest';
import { answerHook, type HookedCall } from './hook.ts';
import { ALLOW, BLOCK } from './testing.ts';

const SAID = "Path '/etc/x' is outside the project directory. Use a path inside /p.";

const DENIED = {
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: SAID },
};

const claude = {
  session_id: 's',
  transcript_path: '/t.jsonl',
  cwd: '/p',
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_name: 'Write',
  tool_input: { file_path: '/etc/x', content: 'x' },
  tool_use_id: 'toolu_1',
};
const cursor = { conversation_id: 'c', generation_id: 'g', model: 'm', workspace_roots: ['/p'], cursor_version: '3.9' };

const FORMATS: readonly { name: string; input: object; call: object; deny: unknown; pass: unknown }[] = [
  {
    name: 'Claude Code',
    input: claude,
    call: { agent: 'claude-code', cwd: '/p', name: 'Write', arguments: claude.tool_input },
    deny: DENIED,
    pass: undefined,
  },
  {
    name: 'opencode',
    input: { hook_event_name: 'tool.execute.before', cwd: '/p', tool_name: 'bash', tool_input: { command: 'ls' } },
    call: { agent: 'opencode', cwd: '/p', name: 'bash', arguments: { command: 'ls' } },
    deny: { decision: 'deny', reason: SAID },
    pass: { decision: 'pass' },
  },
  {
    name: 'Codex',
    input: {
      ...claude,
      turn_id: 't',
      model: 'gpt',
      tool_name: 'apply_patch',
      tool_input: { command: '*** Begin Patch' },
    },
    call: { agent: 'codex', model: 'gpt', name: 'apply_patch', arguments: { input: '*** Begin Patch' } },
    deny: DENIED,
    pass: undefined,
  },
  {
    name: 'Gemini CLI',
    input: { ...claude, hook_event_name: 'BeforeTool', tool_name: 'replace', timestamp: '2026-01-01T00:00:00Z' },
    call: { agent: 'gemini-cli', name: 'replace' },
    deny: { decision: 'deny', reason: SAID },
    pass: {},
  },
  {
    name: 'Cursor, any tool',
    input: { ...cursor, hook_event_name: 'preToolUse', tool_name: 'Write', tool_input: { file_path: 'a' }, cwd: '' },
    call: { agent: 'cursor', model: 'm', name: 'Write', arguments: { file_path: 'a' } },
    deny: { permission: 'deny', user_message: SAID, agent_message: SAID },
    pass: { permission: 'allow' },
  },
  {
    name: 'Cursor, a command',
    input: { ...cursor, hook_event_name: 'beforeShellExecution', command: 'rm -rf /', cwd: '/p', sandbox: false },
    call: { agent: 'cursor', cwd: '/p', name: 'Shell', arguments: { command: 'rm -rf /' } },
    deny: { permission: 'deny', user_message: SAID, agent_message: SAID },
    pass: { permission: 'allow' },
  },
  {
    name: 'Cursor, an MCP tool whose arguments are text',
    input: {
      ...cursor,
      hook_event_name: 'beforeMCPExecution',
      tool_name: 'write',
      tool_input: '{"path":"a"}',
      url: 'u',
    },
    call: { agent: 'cursor', name: 'write', arguments: '{"path":"a"}' },
    deny: { permission: 'deny', user_message: SAID, agent_message: SAID },
    pass: { permission: 'allow' },
  },
  {
    name: 'Cursor, reading a file',
    input: { ...cursor, hook_event_name: 'beforeReadFile', file_path: '/p/.env', content: 'secret', attachments: [] },
    call: { agent: 'cursor', name: 'read_file', arguments: { path: '/p/.env' } },
    deny: { permission: 'deny', user_message: SAID, agent_message: SAID },
    pass: { permission: 'allow' },
  },
];

describe.each(FORMATS)('the hook of $name', ({ input, call, deny, pass }) => {
  it('passes the call to the judge', () => {
    let seen: HookedCall | undefined;
    answerHook(input, (judged) => {
      seen = judged;
      return ALLOW;
    });
    expect(seen).toMatchObject(call);
    expect(JSON.stringify(seen)).not.toContain('secret');
  });

  it('gets a block in its own format, with what the guard would accept', () => {
    const { output, refusal } = answerHook(input, () => BLOCK);
    expect(output).toEqual(deny);
    expect(refusal).toBeUndefined();
  });

  it('gets a response to an allowed call that does not skip its own question', () => {
    const { output, refusal } = answerHook(input, () => ALLOW);
    expect(output).toEqual(pass);
    expect(refusal).toBeUndefined();
  });

  it('gets a block without details when judging fails', () => {
    const { output } = answerHook(input, () => {
      throw new Error('stack of /root/secret');
    });
    const said = JSON.stringify(output);
    expect(said).toContain('could not be judged');
    expect(said).toMatch(/"deny"/);
    expect(said).not.toContain('secret');
  });
});

describe('a message that is not as an agent documents it', () => {
  it.each([
    [{ ...claude, tool_name: undefined }, 'tool_name is missing'],
    [{ ...claude, tool_name: '' }, 'tool_name is missing'],
    [{ ...claude, tool_name: 7 }, 'tool_name is missing'],
    [{ ...claude, tool_input: undefined }, 'tool_input is not an object'],
    [{ ...claude, tool_input: '{}' }, 'tool_input is not an object'],
    [{ ...claude, tool_input: ['a'] }, 'tool_input is not an object'],
    [{ ...claude, cwd: 7 }, 'cwd is not a string'],
    [{ ...claude, cwd: 'src' }, 'cwd is not absolute'],
    [{ ...claude, cwd: '..' }, 'cwd is not absolute'],
    [{ ...cursor, hook_event_name: 'beforeShellExecution' }, 'command is missing'],
    [{ ...cursor, hook_event_name: 'beforeReadFile' }, 'file_path is missing'],
  ])('is denied in its format: %j', (input, says) => {
    const { output } = answerHook(input, () => ALLOW);
    expect(JSON.stringify(output)).toMatch(/"deny"/);
    expect(JSON.stringify(output)).toContain(says);
  });

  it.each([
    [undefined],
    [null],
    [7],
    ['text'],
    [[claude]],
    [{}],
    [{ hook_event_name: 'PostToolUse' }],
    [{ hook_event_name: 'constructor' }],
    [{ hook_event_name: 7 }],
  ])('is refused on standard error if the format is unknown: %j', (input) => {
    const { output, refusal } = answerHook(input, () => ALLOW);
    expect(output).toBeUndefined();
    expect(refusal).toMatch(/blocked/);
  });

  it('never gets an empty reason, which would allow the call', () => {
    const { output } = answerHook(claude, () => ({ ...BLOCK, reason: ' ', accepted: '' }));
    expect(output).toMatchObject({ hookSpecificOutput: { permissionDecisionReason: 'Blocked by croft guard.' } });
  });
});
