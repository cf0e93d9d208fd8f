import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../../packages/workspace/src/testing.ts';
import { hasContainer, withEntry, withoutEntry } from './toml-config.ts';

const place = { container: 'mcp_servers', name: 'croft' };
const entry = { command: '/usr/bin/node', args: ['/b/croft.cjs', 'mcp', '/srv/my "app"'] };
const ADDED = `[mcp_servers.croft]
command = "/usr/bin/node"
args = ["/b/croft.cjs", "mcp", "/srv/my \\"app\\""]
`;

describe('a configuration in TOML', () => {
  const others = `# mine
model = "o4" # [not.a.header]
prompt = """
[mcp_servers.croft]
"""
list = [
  [1, 2],
]

[mcp_servers.other]
command = "x"

[[profiles]]
name = 'a'
`;

  it('gets the entry at its end, and every other byte stays', () => {
    expect(withEntry('', place, entry)).toBe(ADDED);
    expect(withEntry(others, place, entry)).toBe(`${others}\n${ADDED}`);
    expect(withoutEntry(`${others}\n${ADDED}`, place)).toBe(others);
  });

  it('keeps what the user added to the entry, and takes a new command', () => {
    const mine = `${ADDED}startup_timeout_sec = 20\n\n[mcp_servers.croft.env]\nMINE = "1"\n\n[tui]\n`;
    expect(withEntry(mine, place, entry)).toBe(mine);
    const moved = { ...entry, command: '/opt/node', env: { CROFT_BASE_DIR: '/c' } };
    expect(withEntry(mine, place, moved)).toBe(
      mine.replace('/usr/bin/node', '/opt/node').replace('MINE = "1"', 'MINE = "1"\nCROFT_BASE_DIR = "/c"'),
    );
    expect(withoutEntry(mine, place)).toBe('[tui]\n');
  });

  it.each([
    ['a server of the same name that is not ours', '[mcp_servers.croft]\ncommand = "other"\n', 'did not write'],
    ['an inline table', 'mcp_servers = { croft = { command = "x" } }\n', 'does not edit'],
    ['dotted keys', '[mcp_servers]\ncroft.command = "x"\n', 'does not edit'],
    ['a string without an end', 'a = "x\n', 'does not parse'],
    [
      'arguments on several lines',
      '[mcp_servers.croft]\ncommand = "node"\nargs = [\n  "/b/croft.cjs", "mcp"\n]\n',
      'has "args" on several lines; write it on one',
    ],
  ])('is left alone if it has %s', (_, text, problem) => {
    expect(() => withEntry(text, place, entry)).toThrow(problem);
  });
});

describe('an entry in TOML', () => {
  const small = { command: 'n', args: ['croft', 'mcp'] };
  const withEnv = { ...small, env: { A: '1', B: '2' } };
  const OWN = '[mcp_servers.croft]\ncommand = "n"\nargs = ["croft", "mcp"]\n';
  const ENV = '[mcp_servers.croft.env]\nA = "1"\nB = "2"\n';

  it.each([
    ['', OWN],
    ['a = 1', `a = 1\n\n${OWN}`],
    ['a = 1\n', `a = 1\n\n${OWN}`],
    ['a = 1\n\n', `a = 1\n\n${OWN}`],
    ['[mcp_servers]\nother.command = "x"\n', `[mcp_servers]\nother.command = "x"\n\n${OWN}`],
    ['[mcp_servers]\ncroft2 = 1\n', `[mcp_servers]\ncroft2 = 1\n\n${OWN}`],
  ])('is added to %j after a blank line', (before, after) => {
    expect(withEntry(before, place, small)).toBe(after);
  });

  it.each([
    ['', `${OWN}\n${ENV}`],
    [OWN.trimEnd(), `${OWN}\n${ENV}`],
    [`${OWN}[z]\n`, `${OWN}\n${ENV}[z]\n`],
    [`${OWN}[mcp_servers.croft.env]\nA = 'longer'\n`, `${OWN}${ENV}`],
    [`${OWN}[mcp_servers.croft.env]\n\n[z]\n`, `${OWN}${ENV}\n[z]\n`],
    [`[mcp_servers.croft.env]\n\n${OWN}`, `${ENV}\n${OWN}`],
  ])('gets its variables in %j', (before, after) => {
    expect(withEntry(before, place, withEnv)).toBe(after);
  });

  it('gets a single variable', () => {
    const one = { ...small, env: { A: '1' } };
    expect(withEntry('', place, one)).toBe(`${OWN}\n[mcp_servers.croft.env]\nA = "1"\n`);
    expect(withEntry('', place, { ...small, env: {} })).toBe(OWN);
  });

  it('keeps the order of its lines, and adds one that is missing at its end', () => {
    const head = '[mcp_servers.croft]\n';
    expect(withEntry(`${head}args = ["/long/croft.cjs", "mcp"]\ncommand = "old"\n[z]\n`, place, small)).toBe(
      `${head}args = ["croft", "mcp"]\ncommand = "n"\n[z]\n`,
    );
    expect(withEntry(`${head}args = ["croft.cmd", "mcp"]\n\n[z]\n`, place, small)).toBe(
      `${head}args = ["croft", "mcp"]\ncommand = "n"\n\n[z]\n`,
    );
    expect(withEntry(`${head}\targs =["croft@1.2", 'mcp']\n`, place, withEnv)).toBe(
      `${head}args = ["croft", "mcp"]\ncommand = "n"\n\n${ENV}`,
    );
  });

  it.each([
    [OWN, ''],
    [`${OWN}\n${ENV}`, ''],
    [`${ENV}\n${OWN}\n[z]\na = 1\n`, '[z]\na = 1\n'],
    [`a = 1\n\n\n\n${OWN}`, 'a = 1\n'],
    ['a = 1\n\n', 'a = 1\n\n'],
  ])('is removed from %j with its variables', (before, after) => {
    expect(withoutEntry(before, place)).toBe(after);
  });

  it('stays where croft setup did not write it', () => {
    const text = '[mcp_servers.croft]\ncommand = "x"\nargs = ["mycroft2", "mcp"]\n';
    expect(refusalOf(() => withoutEntry(text, place))).toBe(
      'has a server "croft" that croft setup did not write, so it stays',
    );
    expect(refusalOf(() => withEntry(text, place, small))).toBe(
      'has a server "croft" that croft setup did not write; choose another name with --name',
    );
  });

  it.each([
    '"mcp_servers" = 1\n',
    'mcp_servers.croft.command = "x"\n',
    '[mcp_servers]\n"croft" = {}\n',
    ' mcp_servers = {}\n',
  ])('is refused in the form %j', (text) => {
    const refusal = 'writes "mcp_servers" in a form that croft setup does not edit; add the entry by hand';
    expect(refusalOf(() => withEntry(text, place, small))).toBe(refusal);
    expect(refusalOf(() => withoutEntry(text, place))).toBe(refusal);
  });

  it('is below its container', () => {
    expect([hasContainer('[mcp_servers.x]\n', 'mcp_servers'), hasContainer('[mcp]\n', 'mcp_servers')]).toEqual([
      true,
      false,
    ]);
  });
});
