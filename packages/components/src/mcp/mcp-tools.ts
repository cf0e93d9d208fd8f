import type { Field, FlowTool, NodeCall } from '@croft/flow';
import { ComponentError, type CroftComponent, type Services } from '../services.ts';
import { isRow, message, type Row, toText } from '../values.ts';
import { mcpServerOf } from './mcp-server-of.ts';
import type { McpConnection, McpLimits, McpResult } from './mcp-service.ts';

const HTTP = 'Streamable HTTP';
const COMMAND = 'Command';
const onlyHttp: Field['showWhen'] = { field: 'transport', is: [HTTP] };

/** The tools of an MCP server. */
export const mcpTools: CroftComponent = {
  descriptor: {
    type: 'MCPTools',
    label: 'MCP tools',
    description: 'Calls a tool of an MCP server, lists its tools, or gives all of them to an agent.',
    category: 'tools',
    icon: 'plug',
    keywords: ['model context protocol', 'server', 'agent'],
    aliases: ['MCPToolsComponent', 'MCP'],
    tool: true,
    effects: ['network-write'],
    fields: [
      { name: 'transport', label: 'Transport', kind: 'select', options: [HTTP, COMMAND], default: HTTP },
      {
        name: 'url',
        label: 'Address',
        kind: 'text',
        required: true,
        variables: false,
        placeholder: 'https://example.com/mcp',
        showWhen: onlyHttp,
      },
      {
        name: 'credential',
        label: 'Credential',
        kind: 'text',
        default: '',
        variables: false,
        help: 'The name of a variable that is bound to the host. Its value is sent as a bearer token.',
        showWhen: onlyHttp,
      },
      {
        name: 'command',
        label: 'Command',
        kind: 'text',
        required: true,
        variables: false,
        placeholder: 'npx -y @modelcontextprotocol/server-everything',
        help: 'Runs only if the administrator allowed exactly this command.',
        showWhen: { field: 'transport', is: [COMMAND] },
      },
      {
        name: 'tool',
        label: 'Tool',
        kind: 'text',
        default: '',
        variables: false,
        help: 'The tool to call. Empty: the result is the list of tools.',
      },
      {
        name: 'tool_arguments',
        label: 'Arguments',
        kind: 'json',
        schema: { type: 'object' },
        accepts: ['Data'],
        default: {},
      },
      { name: 'timeout', label: 'Timeout in seconds', kind: 'integer', default: 60, min: 1, max: 600, advanced: true },
    ],
    outputs: [
      { name: 'message', label: 'Text', types: ['Message'] },
      { name: 'data', label: 'Data', types: ['Data'], help: 'the structured content, else the text' },
      { name: 'dataframe', label: 'Tools', types: ['Table'], help: 'name and description of each tool' },
    ],
  },
  async run(call) {
    const { inputs } = call;
    const limits = limitsOf(call);
    const connection = await connect(call, limits);
    const dataframe = connection.tools.map(({ name, description }) => ({ name, description }));
    const name = toText(inputs['tool'] ?? '').trim();
    if (name === '') {
      const text = connection.tools.map((each) => `${each.name}: ${each.description}`).join('\n');
      return { message: message(text), data: { tools: dataframe }, dataframe };
    }
    if (!connection.tools.some((each) => each.name === name))
      throw new ComponentError(
        `The MCP server has no tool '${name}'.`,
        `Use one of these: ${connection.tools.map((each) => each.name).join(', ')}.`,
      );
    const args = isRow(inputs['tool_arguments']) ? inputs['tool_arguments'] : {};
    const result = await connection.call(name, args, limits);
    if (result.isError) throw failed(name, result);
    return { message: message(result.text), data: dataOf(result), dataframe };
  },
  async tools(call) {
    const limits = limitsOf(call);
    const connection = await connect(call, limits);
    return connection.tools.map((tool) => asFlowTool(tool, connection, limits.timeoutMs));
  },
};

const limitsOf = ({ inputs, signal }: NodeCall<Services>): McpLimits => ({
  signal,
  timeoutMs: Number(inputs['timeout']) * 1_000,
});

async function connect({ inputs, services }: NodeCall<Services>, limits: McpLimits): Promise<McpConnection> {
  if (services.mcp === undefined)
    throw new ComponentError('This run has no MCP client.', 'Run the flow with croft run or on a server.');
  const { transport, command, url, credential } = inputs;
  const server =
    transport === COMMAND
      ? { kind: 'command' as const, command: toText(command) }
      : { kind: 'http' as const, url: toText(url), credential: toText(credential ?? '') };
  return services.mcp(mcpServerOf(server, services), limits);
}

function asFlowTool(
  { name, description, parameters, readOnly }: McpConnection['tools'][number],
  connection: McpConnection,
  timeoutMs: number,
): FlowTool {
  return {
    name: name.replace(/[^a-zA-Z0-9_-]/g, '-').slice(0, 64),
    description,
    parameters,
    readOnly,
    async call(args, signal) {
      const result = await connection.call(name, args, { signal, timeoutMs });
      if (result.isError) throw failed(name, result);
      return result.text === '' ? result.data : result.text;
    },
  };
}

const failed = (name: string, { text }: McpResult): ComponentError =>
  new ComponentError(`The tool '${name}' failed: ${text === '' ? 'no reason given' : text}`, 'Check the arguments.');

const dataOf = ({ data, text }: McpResult): Row => (isRow(data) ? data : { text });
