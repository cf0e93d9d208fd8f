import { describe, expect, it } from 'vitest';
import { HOOK_CLIENTS } from './hook-clients.ts';
import * as hooks from './hook-config.ts';
import { PLUGIN_MARK } from './opencode-plugin.ts';

const { format } = HOOK_CLIENTS['claude-code'];
const withHook = (text: string, command: string) => hooks.withHook(text, command, format);
const withoutHook = (text: string) => hooks.withoutHook(text, format);

describe("the hook in Claude Code's settings", () => {
  const OURS = "/n/node '/c/croft.cjs' guard hook || exit 2";
  const others =
    '{\n  // mine\n  "hooks": {\n    "PreToolUse": [\n      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "lint" }] } // b\n    ]\n  }\n}\n';

  it('is added beside other hooks and keeps their comments', () => {
    const text = withHook(others, OURS);
    expect(text).toContain('// mine');
    expect(text).toContain('"command": "lint"');
    expect(withHook(text, OURS)).toBe(text);
    expect(withoutHook(text)).toContain('"command": "lint"');
    expect(withoutHook(text)).not.toContain('guard hook');
    expect(withoutHook(text)).toContain('// mine');
  });

  it('is updated if it names another program', () => {
    const written = withHook('{}', "node '/old/croft.cjs' guard hook || exit 2");
    const renewed = withHook(written, OURS);
    expect(renewed).toBe(withHook('{}', OURS));
    expect(
      withHook('{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"croft guard hook"}]}]}}', OURS),
    ).toContain(OURS);
  });

  it('refuses to change a hook of Croft with other flags, or for some tools', () => {
    const by = (command: string, matcher = '*') =>
      JSON.stringify({ hooks: { PreToolUse: [{ matcher, hooks: [{ type: 'command', command }] }] } });
    expect(() => withHook(by('croft guard hook --strict'), OURS)).toThrow(/did not write/);
    expect(() => withoutHook(by('croft guard hook --strict'))).toThrow(/did not write/);
    expect(() => withHook(by('croft guard hook', 'Write'), OURS)).toThrow(/some tools only/);
    expect(withHook(by('mycroft guard hook'), OURS)).toContain(OURS);
  });
});

describe('the hook in other configurations', () => {
  const OURS = '/n/node /c/croft.cjs guard hook --agent x || exit 2';

  it('is written for the event of the agent, beside other hooks, and removed again', () => {
    const before = '{\n  // mine\n  "model": "m"\n}\n';
    for (const [id, event] of [
      ['codex', 'PreToolUse'],
      ['gemini-cli', 'BeforeTool'],
      ['qwen-code', 'PreToolUse'],
    ] as const) {
      const { format: own } = HOOK_CLIENTS[id];
      const text = hooks.withHook(before, OURS, own);
      expect(text).toContain(`"${event}"`);
      expect(hooks.hasHook(text, own)).toBe(true);
      expect(hooks.withHook(text, OURS, own)).toBe(text);
      expect(hooks.withoutHook(text, own)).toBe(before);
    }
  });

  it('is an entry of a plain list for Cursor, with failClosed', () => {
    const { format: own } = HOOK_CLIENTS.cursor;
    expect(JSON.parse(hooks.withHook('', OURS, own))).toEqual({
      version: 1,
      hooks: { preToolUse: [{ command: OURS, failClosed: true }] },
    });
    const others = '{"version":1,"hooks":{"preToolUse":[{"command":"audit"}],"stop":[]}}';
    const both = hooks.withHook(others, OURS, own);
    expect(JSON.parse(both)).toMatchObject({ hooks: { preToolUse: [{ command: 'audit' }, { command: OURS }] } });
    expect(JSON.parse(hooks.withoutHook(both, own) ?? '')).toEqual(JSON.parse(others));
    const some = JSON.stringify({ hooks: { preToolUse: [{ command: OURS, matcher: 'Shell' }] } });
    expect(() => hooks.withHook(some, OURS, own)).toThrow('some tools only');
    expect(hooks.hasHook(some, own)).toBe(false);
  });

  it('is a file of its own for opencode, and does not replace another file', () => {
    const { format: own } = HOOK_CLIENTS.opencode;
    const text = hooks.withHook('', OURS, own);
    expect(text.startsWith(PLUGIN_MARK)).toBe(true);
    expect(hooks.withoutHook(text, own)).toBeUndefined();
    expect(hooks.hasHook(text, own)).toBe(true);
    expect(() => hooks.withHook('export const Mine = 1;', OURS, own)).toThrow('was not written by croft setup guard');
    expect(() => hooks.withoutHook('export const Mine = 1;', own)).toThrow('so it stays');
  });
});
