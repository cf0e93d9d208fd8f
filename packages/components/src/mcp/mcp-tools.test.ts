import { describe, expect, it } from 'vitest';
import type { Services } from '../services.ts';
import { callOf, runAlone, declaredBy, textsOf } from '../testing.ts';
import { mcpTools } from './mcp-tools.ts';
import type { McpConnection, McpResult, McpServerName } from './mcp-service.ts';

const TOOLS: McpConnection['tools'] = [
  { name: 'read', description: 'Reads.', parameters: { type: 'object' }, readOnly: true },
  { name: 'write it/now', description: 'Writes.', parameters: {}, readOnly: false },
];
const INPUTS = {
  transport: 'Streamable HTTP',
  url: ' https://a.example/mcp ',
  credential: '',
  command: 'npx "a b"',
  tool: '',
  tool_arguments: { x: 1 },
  timeout: 7,
};

function server(result: Partial<McpResult> = {}) {
  const connected: unknown[] = [];
  const called: unknown[] = [];
  const services: Partial<Services> = {
    credential: (name) => (name === 'KEY' ? { value: 'token', hosts: ['a.example'] } : undefined),
    mcp: async (name: McpServerName, { timeoutMs }) => {
      connected.push([name, timeoutMs]);
      return {
        tools: TOOLS,
        call: async (tool, args, limits) => {
          called.push([tool, args, limits.timeoutMs]);
          return { text: 'said', data: undefined, isError: false, ...result };
        },
      };
    },
  };
  return {
    services,
    connected,
    called,
    run: (more: object = {}) => runAlone(mcpTools, { ...INPUTS, ...more }, services),
  };
}

describe('a server', () => {
  it('is an address, with the token of a credential', async () => {
    const { run, connected } = server();
    await run();
    await run({ credential: 'KEY' });
    const url = 'https://a.example/mcp';
    expect(connected).toEqual([
      [{ kind: 'http', url, token: undefined }, 7_000],
      [{ kind: 'http', url, token: 'token' }, 7_000],
    ]);
  });

  it('is a command', async () => {
    const { run, connected } = server();
    await run({ transport: 'Command' });
    expect(connected).toEqual([[{ kind: 'command', argv: ['npx', 'a b'] }, 7_000]]);
  });

  it('needs a client', async () => {
    await expect(runAlone(mcpTools, INPUTS)).rejects.toThrow('This run has no MCP client.');
  });
});

describe('a call', () => {
  it('without a tool gives the list of tools', async () => {
    const dataframe = [
      { name: 'read', description: 'Reads.' },
      { name: 'write it/now', description: 'Writes.' },
    ];
    const { run, called } = server();
    expect((await run({ tool: ' ' })).outputs).toEqual({
      message: { text: 'read: Reads.\nwrite it/now: Writes.' },
      data: { tools: dataframe },
      dataframe,
    });
    expect(called).toEqual([]);
  });

  it('gives the text and the structured content, else the text as data', async () => {
    const { run, called } = server({ data: { a: 1 } });
    expect((await run({ tool: ' read ' })).outputs).toMatchObject({ message: { text: 'said' }, data: { a: 1 } });
    expect(called).toEqual([['read', { x: 1 }, 7_000]]);
    expect((await server({ data: [1] }).run({ tool: 'read' })).outputs['data']).toEqual({ text: 'said' });
    const other = server();
    await other.run({ tool: 'read', tool_arguments: 'x' });
    expect(other.called).toEqual([['read', {}, 7_000]]);
  });

  it('of a tool that does not exist names the others', async () => {
    await expect(server().run({ tool: 'none' })).rejects.toMatchObject({
      message: "The MCP server has no tool 'none'.",
      fix: 'Use one of these: read, write it/now.',
    });
  });

  it('that fails says why', async () => {
    await expect(server({ isError: true }).run({ tool: 'read' })).rejects.toMatchObject({
      message: "The tool 'read' failed: said",
      fix: 'Check the arguments.',
    });
    await expect(server({ isError: true, text: '' }).run({ tool: 'read' })).rejects.toThrow('failed: no reason given');
  });
});

describe('the tools for an agent', () => {
  const toolsOf = async (result: Partial<McpResult> = {}) => {
    const made = server(result);
    const tools = (await mcpTools.tools?.(callOf(INPUTS, made.services))) ?? [];
    return { ...made, tools };
  };

  it('have names that a model may write', async () => {
    const { tools } = await toolsOf();
    expect(tools.map(({ name, description, readOnly }) => [name, description, readOnly])).toEqual([
      ['read', 'Reads.', true],
      ['write-it-now', 'Writes.', false],
    ]);
    expect(tools[0]?.parameters).toEqual({ type: 'object' });
  });

  it('call the tool of the server, and give its text or its data', async () => {
    const { signal } = new AbortController();
    const { tools, called } = await toolsOf();
    expect(await tools[1]?.call({ y: 2 }, signal)).toBe('said');
    expect(called).toEqual([['write it/now', { y: 2 }, 7_000]]);
    expect(await (await toolsOf({ text: '', data: [1] })).tools[0]?.call({}, signal)).toEqual([1]);
    await expect((await toolsOf({ isError: true })).tools[0]?.call({}, signal)).rejects.toThrow(
      "The tool 'read' failed: said",
    );
  });
});

it('declares its fields with these defaults and limits', () => {
  expect(declaredBy(mcpTools)).toEqual([
    'MCPTools: network-write',
    'transport: select default="Streamable HTTP" of Streamable HTTP|Command',
    'url: text required variables=false if transport Streamable HTTP',
    'credential: text default="" variables=false if transport Streamable HTTP',
    'command: text required variables=false if transport Command',
    'tool: text default="" variables=false',
    'tool_arguments: json Data default={}',
    'timeout: integer advanced default=60 max=600 min=1',
    'message: gives Message',
    'data: gives Data',
    'dataframe: gives Table',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(mcpTools.descriptor)).toEqual([
    'MCP tools (plug): Calls a tool of an MCP server, lists its tools, or gives all of them to an agent.',
    'tools | model context protocol | server | agent | MCPToolsComponent | MCP | tool',
    'transport: Transport',
    'url: Address | https://example.com/mcp',
    'credential: Credential | The name of a variable that is bound to the host. Its value is sent as a bearer token.',
    'command: Command | Runs only if the administrator allowed exactly this command. | npx -y @modelcontextprotocol/server-everything',
    'tool: Tool | The tool to call. Empty: the result is the list of tools.',
    'tool_arguments: Arguments | {"type":"object"}',
    'timeout: Timeout in seconds',
    'message: Text',
    'data: Data | the structured content, else the text',
    'dataframe: Tools | name and description of each tool',
  ]);
});
