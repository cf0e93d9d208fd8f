import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RefusedConfig, withEntry, withoutEntry } from './client-config.ts';

const entry = { command: '/usr/bin/node', args: ['/opt/croft/dist/croft.cjs', 'mcp', '/srv/docs'] };
const place = { container: 'mcpServers', name: 'croft' };
const add = (text: string, container = 'mcpServers') => withEntry(text, { container, name: 'croft' }, entry);
const remove = (text: string, drop = false) => withoutEntry(text, place, drop);

describe('adding a server to a configuration', () => {
  it('writes a complete file if it was empty', () => {
    for (const blank of ['', '\n', ' \r\n']) expect(JSON.parse(add(blank))).toEqual({ mcpServers: { croft: entry } });
    expect(add('\uFEFF')[0]).toBe('\uFEFF');
  });

  it('keeps comments in place, also at the end of the line before', () => {
    const text = [
      '// mine',
      '{',
      '    "inputs": [], // ask for these',
      '    "servers": {',
      '        /* the good one */',
      '        "a": { "command": "a" } // do not touch',
      '        // "b": { "command": "b" }',
      '    }, // all servers',
      '}',
      '',
    ].join('\n');
    const lines = add(text, 'servers').split('\n');
    expect(lines.slice(0, 6).join('\n')).toBe(text.split('\n').slice(0, 6).join('\n').replace('"a" } //', '"a" }, //'));
    expect(lines[6]).toBe('        "croft": {');
    expect(lines.slice(-4)).toEqual(text.split('\n').slice(-4));
    expect(withoutEntry(lines.join('\n'), { container: 'servers', name: 'croft' }, false)).toBe(text);
  });

  const shapes: [string, string][] = [
    ['an empty object', '{}'],
    ['an empty container', '{\n  "mcpServers": {}\n}\n'],
    ['no container, other keys', '{\n\t"a": 1,\n\t"b": [\n\t\t2\n\t]\n}'],
    ['a trailing comma', '{\n  "mcpServers": {\n    "a": {"command": "x"},\n  },\n}\n'],
    ['one line', '{"mcpServers":{"a":{"command":"x"}},"z":0}'],
    ['one line with a comment', '{"mcpServers":{"a":{"command":"x"} /* why */},"z":0}'],
    ['CRLF and a BOM', '\uFEFF{\r\n  "mcpServers": {\r\n    "a": {\r\n      "command": "x"\r\n    }\r\n  }\r\n}\r\n'],
    ['commas at the beginning of lines', '{\n    "mcpServers": {\n        "a": 1\n      , "b": 2\n    }\n}'],
    ['a comment in an empty container', '{\n  "mcpServers": { // none yet\n  }\n}'],
    ['a comma after a comment', '{\n  "mcpServers": {\n    "a": 1 // x\n    ,\n  }\n}'],
    ['braces and comment signs inside strings', '{\n  "mcpServers": {\n    "a": "},{//,*/"\n  },\n  "t": "\\"}"\n}'],
    ['the same container twice', '{\n  "mcpServers": {"old": 1},\n  "mcpServers": {\n    "a": 1\n  }\n}'],
  ];
  for (const [what, text] of shapes) {
    it(`restores every byte after removing it: ${what}`, () => {
      const added = add(text);
      expect(added).not.toBe(text);
      expect(add(added)).toBe(added);
      expect(added.includes('\r\n')).toBe(text.includes('\r\n'));
      if (text.includes('\r\n')) expect(added.replaceAll('\r\n', '')).not.toContain('\n');
      expect(remove(added, !text.includes('mcpServers'))).toBe(text);
    });
  }

  it('restores every byte after removing it from any commented configuration', () => {
    fc.assert(
      fc.property(configurations(), (text) => {
        const added = add(text);
        expect(add(added)).toBe(added);
        expect(remove(added)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it("keeps the user's additions to the entry, and its position", () => {
    const old = { command: 'node', args: ['/old/croft.cjs', 'mcp', '/x'], disabled: true, env: { MINE: '1' } };
    const text = JSON.stringify({ mcpServers: { croft: old, z: 1 } }, null, 2).replace('"MINE"', '/* ! */ "MINE"');
    const result = withEntry(text, place, { ...entry, env: { CROFT_BASE_DIR: '/b' } });
    expect(result).toContain('/* ! */ "MINE": "1"');
    expect(JSON.parse(result.replace('/* ! */', ''))).toEqual({
      mcpServers: { croft: { ...old, ...entry, env: { MINE: '1', CROFT_BASE_DIR: '/b' } }, z: 1 },
    });
  });

  it('recognises its own entry through npx and through cmd', () => {
    for (const args of [
      ['-y', 'croft@1.2.3', 'mcp', '/x'],
      ['/c', 'npx', '-y', 'croft@0.1.0-rc.1', 'mcp', 'C:\\x'],
    ]) {
      const text = JSON.stringify({ mcpServers: { croft: { command: 'npx', args } } });
      expect(remove(text)).toBe('{"mcpServers":{}}');
    }
  });
});

describe('a configuration that must not be changed', () => {
  const refused: [string, string, string][] = [
    [
      'a missing brace',
      '{\n  "mcpServers": {\n',
      'does not parse: close brace expected at line 3, column 1; correct it and run croft setup again',
    ],
    [
      'two values without a comma',
      '{"a": 1 "b": 2}',
      'does not parse: comma expected at line 1, column 9; correct it and run croft setup again',
    ],
    ['a list', '[1]', 'does not hold a JSON object'],
    ['only a comment', '// soon', 'does not parse'],
    ['a merge conflict', '<<<<<<< HEAD\n{}\n', 'does not parse'],
    ['a container of another kind', '{"mcpServers": []}', 'something else than an object under "mcpServers"'],
    ["somebody else's croft", '{"mcpServers": {"croft": {"url": "https://example.com"}}}', 'did not write'],
    ['endless nesting', `{"a":${'['.repeat(200_000)}`, 'nested too deeply'],
    [
      'the same name twice',
      '{"mcpServers": {"croft": {"command": "croft", "args": ["mcp"]}, "croft": 1}}',
      'did not write',
    ],
  ];
  for (const [what, text, problem] of refused) {
    it(`is refused: ${what}`, () => {
      expect(() => add(text)).toThrow(RefusedConfig);
      expect(() => add(text)).toThrow(problem);
    });
  }

  it('keeps an entry that croft setup did not write', () => {
    const theirs = '{"mcpServers": {"croft": {"command": "python", "args": ["croft.py", "mcp"]}}}';
    expect(() => remove(theirs)).toThrow('so it stays');
    expect(remove('{"a": 1}')).toBe('{"a": 1}');
  });
});

/** Configurations with at least one other server, in any layout. */
function configurations(): fc.Arbitrary<string> {
  const word = fc.constantFrom('a', 'b', 'c-d', 'e"f', 'ü', '//', '{,');
  const json = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, fc.integer(), word, tie('list'), tie('map')),
    list: fc.array(tie('value'), { maxLength: 3 }),
    map: fc.dictionary(word, tie('value'), { maxKeys: 3 }),
  }));
  const servers = fc.dictionary(word, json.value, { minKeys: 1, maxKeys: 3 });
  const layout = fc.record({
    unit: fc.constantFrom('  ', '    ', '\t'),
    eol: fc.constantFrom('\n', '\r\n'),
    trailing: fc.boolean(),
    bom: fc.boolean(),
    comments: fc.array(fc.constantFrom('', '', ' // note', ' /* note */', ' /* } */ // ,'), {
      minLength: 4,
      maxLength: 9,
    }),
  });
  return fc.tuple(json.map, servers, layout).map(([others, mcpServers, { unit, eol, trailing, bom, comments }]) => {
    let n = 0;
    const comment = () => comments[n++ % comments.length] as string;
    const render = (value: unknown, indent: string): string => {
      if (typeof value !== 'object' || value === null) return JSON.stringify(value);
      const inner = indent + unit;
      const list = Array.isArray(value);
      const items = Object.entries(value).map(
        ([key, item]) => `${list ? '' : `${JSON.stringify(key)}: `}${render(item, inner)}`,
      );
      const [open, close] = list ? ['[', ']'] : ['{', '}'];
      if (items.length === 0) return open + close;
      const lines = items.map((item, i) => `${inner}${item}${i < items.length - 1 || trailing ? ',' : ''}${comment()}`);
      return `${open}${comment()}${eol}${lines.join(eol)}${eol}${indent}${close}`;
    };
    return `${bom ? '\uFEFF' : ''}${render({ ...others, mcpServers }, '')}${eol}`;
  });
}
