import { describe, expect, it } from 'vitest';
import { withHook, withoutHook } from './hook-config.ts';

describe("the hook in Claude Code's settings", () => {
  const OURS = "/n/node '/c/croft.cjs' guard hook || exit 2";
  const others =
    '{\n  // mine\n  "hooks": {\n    "PreToolUse": [\n      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "lint" }] } // b\n    ]\n  }\n}\n';

  it('stands beside those of others, whose comments stay', () => {
    const text = withHook(others, OURS);
    expect(text).toContain('// mine');
    expect(text).toContain('"command": "lint"');
    expect(withHook(text, OURS)).toBe(text);
    expect(withoutHook(text)).toContain('"command": "lint"');
    expect(withoutHook(text)).not.toContain('guard hook');
    expect(withoutHook(text)).toContain('// mine');
  });

  it('is brought up to date where it is written for another place', () => {
    const written = withHook('{}', "node '/old/croft.cjs' guard hook || exit 2");
    const renewed = withHook(written, OURS);
    expect(renewed).toBe(withHook('{}', OURS));
    expect(
      withHook('{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"croft guard hook"}]}]}}', OURS),
    ).toContain(OURS);
  });

  it('leaves a hook alone that somebody wrote with flags, or for some tools', () => {
    const by = (command: string, matcher = '*') =>
      JSON.stringify({ hooks: { PreToolUse: [{ matcher, hooks: [{ type: 'command', command }] }] } });
    expect(() => withHook(by('croft guard hook --strict'), OURS)).toThrow(/did not write/);
    expect(() => withoutHook(by('croft guard hook --strict'))).toThrow(/did not write/);
    expect(() => withHook(by('croft guard hook', 'Write'), OURS)).toThrow(/some tools only/);
    expect(withHook(by('mycroft guard hook'), OURS)).toContain(OURS);
  });
});
