import { describe, expect, it } from 'vitest';
import { HOOK_CLIENTS } from './hook-clients.ts';
import * as hooks from './hook-config.ts';
import { refusalOf } from '../../../../packages/workspace/src/testing.ts';
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

const COMMAND = 'croft guard hook || exit 2';
const groups = { kind: 'groups', event: 'E' } as const;
const list = { kind: 'list', event: 'E', top: { version: 1 } } as const;
const file = HOOK_CLIENTS.opencode.format;
const group = (commands: readonly string[], matcher?: string) => ({
  ...(matcher !== undefined && { matcher }),
  hooks: commands.map((command) => ({ type: 'command', command })),
});
const config = (...entries: unknown[]) => JSON.stringify({ hooks: { E: entries } });
const OURS = group([COMMAND], '*');

describe('a hook in groups and in a list', () => {
  const fresh = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
  const entry = { command: COMMAND, failClosed: true };

  it('is the content of a blank file, after its byte-order mark', () => {
    for (const bom of ['', '\ufeff'])
      for (const text of [bom, `${bom} \n`]) {
        expect(hooks.withHook(text, COMMAND, groups)).toBe(bom + fresh({ hooks: { E: [OURS] } }));
        expect(hooks.withHook(text, COMMAND, list)).toBe(bom + fresh({ version: 1, hooks: { E: [entry] } }));
      }
  });

  it.each([
    [{}, { hooks: { E: [OURS] } }, { version: 1, hooks: { E: [entry] } }],
    [{ hooks: {} }, { hooks: { E: [OURS] } }, { version: 1, hooks: { E: [entry] } }],
    [{ hooks: { E: [] } }, { hooks: { E: [OURS] } }, { version: 1, hooks: { E: [entry] } }],
    [{ hooks: { O: [] } }, { hooks: { O: [], E: [OURS] } }, { version: 1, hooks: { O: [], E: [entry] } }],
    [{ version: 2 }, { version: 2, hooks: { E: [OURS] } }, { version: 2, hooks: { E: [entry] } }],
    [
      { hooks: { E: [1, { hooks: 1 }, { hooks: [1] }] } },
      { hooks: { E: [1, { hooks: 1 }, { hooks: [1] }, OURS] } },
      { version: 1, hooks: { E: [1, { hooks: 1 }, { hooks: [1] }, entry] } },
    ],
  ])('is added to %j', (before, inGroups, inList) => {
    const text = `\ufeff${JSON.stringify(before)}`;
    const read = (result: string) => {
      expect(result.startsWith('\ufeff')).toBe(true);
      return JSON.parse(result.slice(1)) as unknown;
    };
    expect(read(hooks.withHook(text, COMMAND, groups))).toEqual(inGroups);
    expect(read(hooks.withHook(text, COMMAND, list))).toEqual(inList);
  });

  it.each([
    ['[]', 'does not hold a JSON object'],
    ['{"hooks":[]}', 'holds something else than an object under "hooks"'],
    ['{"hooks":{"E":{}}}', 'holds something else than a list under "hooks.E"'],
    [config(OURS, OURS), 'runs croft guard hook for some tools only, or more than once; take that out first'],
    [
      config(group([COMMAND, COMMAND])),
      'runs croft guard hook for some tools only, or more than once; take that out first',
    ],
  ])('is not added to %s', (text, problem) => {
    expect(refusalOf(() => hooks.withHook(text, COMMAND, groups))).toBe(problem);
  });

  it('takes a new command in its place', () => {
    const before = `\ufeff${config(group(['lint', 'croft guard hook']))}`;
    expect(hooks.withHook(before, COMMAND, groups)).toBe(`\ufeff${config(group(['lint', COMMAND]))}`);
    const inList = config({ command: 'lint' }, { command: 'croft guard hook' });
    expect(hooks.withHook(inList, COMMAND, list)).toBe(config({ command: 'lint' }, { command: COMMAND }));
  });

  it.each([
    ['a group with others', config(group(['lint', COMMAND, 'x'])), config(group(['lint', 'x']))],
    ['a group beside others', config(group([COMMAND]), group(['lint'])), config(group(['lint']))],
    ['an event beside others', JSON.stringify({ hooks: { E: [OURS], O: [] } }), '{"hooks":{"O":[]}}'],
    ['settings', JSON.stringify({ a: 1, hooks: { E: [OURS] } }), '{"a":1}'],
    ['a group that has it twice', config(group([COMMAND, COMMAND])), '{}'],
    ['a file with a byte-order mark', `\ufeff${config(OURS)}`, '\ufeff{}'],
    ['a blank file', '', ''],
    ['a file without hooks', '{ }', '{ }'],
  ])('is removed from %s', (_, before, after) => {
    expect(hooks.withoutHook(before, groups)).toBe(after);
  });

  it('is removed from a list', () => {
    expect(hooks.withoutHook(config({ command: COMMAND }, { command: 'lint' }), list)).toBe(
      config({ command: 'lint' }),
    );
  });

  it.each([undefined, '', '*', '.*'])('is for all tools with the matcher %j', (matcher) => {
    expect(hooks.hasHook(config(group([COMMAND], matcher)), groups)).toBe(true);
  });

  it('is not there for some tools, in other files and in text that does not parse', () => {
    for (const text of [config(group([COMMAND], 'Write')), config(group(['lint'])), '{}', '', '{'])
      expect([text, hooks.hasHook(text, groups)]).toEqual([text, false]);
    for (const text of ['', 'export {}']) expect(hooks.hasHook(text, file)).toBe(false);
  });
});

describe('the command of a hook', () => {
  it.each([
    'croft guard hook',
    'croft.cmd guard hook',
    '"/a/croft.cjs" guard hook',
    "'/a b/croft.cjs' guard  hook --agent x-y",
    'C:\\croft.cmd guard hook||exit 2',
  ])('of Croft may be %s', (command) => {
    expect(hooks.hookCommands(config(group(['lint', command])), groups)).toEqual([command]);
    expect(hooks.hookCommands(config({ command: 5 }, { command }), list)).toEqual([command]);
  });

  it.each(['croft guard hookx', 'mycroft guard hook', 'croft guard', 'croft hook'])(
    'of others may be %s',
    (command) => {
      expect(hooks.hookCommands(config(group([command])), groups)).toEqual([]);
    },
  );

  it.each(['--agent', '--agent x; rm', '|| exit 3', '--strict'])('was not written by croft setup with %s', (end) => {
    expect(refusalOf(() => hooks.hookCommands(config(group([`croft guard hook ${end}`])), groups))).toBe(
      'has a hook for croft guard that croft setup did not write, so it stays',
    );
  });

  it('is not looked for in blank text or in a file of its own', () => {
    expect([hooks.hookCommands('', groups), hooks.hookCommands('x', file)]).toEqual([[], []]);
  });
});

it('is not written over a file that croft setup did not write', () => {
  expect(refusalOf(() => hooks.withHook('export {}', COMMAND, file))).toBe(
    'was not written by croft setup guard, so it stays; move it away first',
  );
  expect(hooks.withoutHook('', file)).toBeUndefined();
});

it('looks up a setting by its path', () => {
  const has = (text: string, value: unknown = 1) => hooks.hasSetting(text, ['a', 'b'], value);
  expect([has('{"a":{"b":1}}'), has('{"a":{"b":1}}', 2), has('{"a":1}'), has('')]).toEqual([true, false, false, false]);
  expect(hooks.hasSetting('{"a":{}}', ['a', 'toString'], Object.prototype.toString)).toBe(false);
});
