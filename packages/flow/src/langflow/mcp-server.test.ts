import { describe, expect, it } from 'vitest';
import type { Json } from '../document.ts';
import type { Finding } from '../validate.ts';
import { mcpServerFields } from './mcp-server.ts';
import type { ExportedNode } from './read-export.ts';

/** The fields of a server, and the fields that were left out. */
function read(value: Json, type = 'MCPTools') {
  const findings: Finding[] = [];
  const node = { id: 'M-1', type, fields: { mcp_server: { value } } } as unknown as ExportedNode;
  const fields = mcpServerFields(node, findings);
  return {
    fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value])),
    leftOut: findings.map(({ field }) => field),
  };
}

it.each([
  [{ command: 'npx', env: { A: 'b' } }, 'env', 'The env', 'command'],
  [{ command: 'npx', headers: { A: 'b' } }, 'headers', 'The headers', 'command'],
  [{ command: 'npx', args: ['--token'] }, 'command', 'The command', 'command'],
  [{ url: 'https://ann@host' }, 'url', 'A part of the url', 'url'],
])('says what it leaves out of %j', (value, field, what, set) => {
  const findings: Finding[] = [];
  mcpServerFields({ id: 'M-1', type: 'MCP', fields: { mcp_server: { value } } } as unknown as ExportedNode, findings);
  expect(findings).toEqual([
    {
      severity: 'warning',
      code: 'wrong_value',
      node: 'M-1',
      field,
      message: `${what} of the MCP server of M-1 may hold a secret and is left out.`,
      fix: `Save the secret as a variable and set credential, or set the ${set} yourself.`,
    },
  ]);
});

it('gives values that are neither secrets nor names of variables, for each type of an MCP component', () => {
  for (const type of ['MCPTools', 'MCPToolsComponent', 'MCP']) {
    const node = { id: 'M', type, fields: { mcp_server: { value: { url: 'https://h' } } } } as unknown as ExportedNode;
    expect(mcpServerFields(node, [])).toEqual({ url: { value: 'https://h', isSecret: false, isVariable: false } });
  }
});

describe('the MCP server of an export', () => {
  it('has its command line, quoted where it needs it', () => {
    expect(read({ config: { command: 'npx', args: ['-y', 'my server', 7] } })).toEqual({
      fields: { transport: 'Command', command: 'npx -y "my server" 7' },
      leftOut: [],
    });
    expect(read({ command: 'uvx' }).fields).toEqual({ transport: 'Command', command: 'uvx' });
    expect(read({ command: 'a', args: ["it's", 'b"c', ''] }).fields['command']).toBe('a "it\'s" "b\\"c" ""');
    expect(read({ command: '', url: '', args: 'x' })).toEqual({ fields: {}, leftOut: [] });
    expect(read({ command: 'npx', url: 'https://h' }).fields).toEqual({ url: 'https://h' });
  });

  it.each(['12345678901234567890', 'abcdefghijklmnopqrst', 'a1b2c3d4e5f6g7h8i9j', 'https://host/x'])(
    'has a command with %s, which is not a secret',
    (argument) => {
      expect(read({ command: 'npx', args: [argument] })).toEqual({
        fields: { transport: 'Command', command: `npx ${argument}` },
        leftOut: [],
      });
    },
  );

  it.each([
    ['https://a@b@host:1/p?x=1?y=2', 'https://host:1/p?x=?y='],
    ['https://host#/a@b', 'https://host'],
    ['https://host/#a', 'https://host/'],
    ['https://host/a@b', 'https://host/a@b'],
    ['https://host?plain', 'https://host?plain'],
    ['host/sk-abcdefghijklmnopqrst', 'host/sk-[removed]'],
    ['https://host/sk-abcdefghijklmnopqrst', 'https://host/sk-[removed]'],
  ])('has the address %s as %s', (url, shown) => {
    expect(read({ url })).toEqual({ fields: { url: shown }, leftOut: url === shown ? [] : ['url'] });
  });

  it.each([
    '--api-key=x',
    'TOKEN=1',
    'a1b2c3d4e5f6g7h8i9j0',
    'x:a1b2c3d4e5f6g7h8i9j0:y',
    'https://user:pw@host/',
    '--header',
  ])('has no command with %s, which may hold a secret', (argument) => {
    const { fields, leftOut } = read({ command: 'npx', args: ['server', argument] });
    expect([fields['command'], leftOut]).toEqual(['', ['command']]);
  });

  it('has its address without user, password, values and fragment', () => {
    expect(read({ url: 'https://host/mcp' })).toEqual({ fields: { url: 'https://host/mcp' }, leftOut: [] });
    expect(read({ url: 'https://ann:pw@host/mcp?a=1&b=2#x' })).toEqual({
      fields: { url: 'https://host/mcp?a=&b=' },
      leftOut: ['url'],
    });
  });

  it('has no headers and no variables', () => {
    expect(read({ url: 'https://host', headers: { a: 'b' } }).leftOut).toEqual(['headers']);
    expect(read({ command: 'npx', env: { A: 'b' } }).leftOut).toEqual(['env']);
    expect(read({ command: 'npx', env: {}, headers: {} }).leftOut).toEqual([]);
  });

  it('has nothing for another type or without a server', () => {
    expect([read({ command: 'npx' }, 'Other'), read('text'), read([]), read({})]).toEqual(
      Array(4).fill({ fields: {}, leftOut: [] }),
    );
  });
});
