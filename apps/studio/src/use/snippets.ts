/** How programs run a flow. */
export interface FlowUse {
  /** Of the server; ends with a slash. */
  readonly url: string;
  readonly id: string;
  /** An example for the message; undefined where the flow takes none. */
  readonly message: string | undefined;
  /** Values for the flow's other inputs, by node and field. */
  readonly inputs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The run may wait for a person, so it is queued. */
  readonly isQueued: boolean;
}

/** A way to run a flow from code. The code reads an API key from the variable CROFT_KEY. */
export interface Snippet {
  readonly id: 'curl' | 'python' | 'openai' | 'typescript' | 'mcp';
  readonly name: string;
  readonly about: string;
  readonly code: string;
}

/** Code that runs the flow, ready to paste. */
export function snippetsOf(use: FlowUse): readonly Snippet[] {
  // OpenAI's protocol and MCP wait for the answer, which a person would have to give first.
  if (use.isQueued) return [curl(use), python(use), typescript(use)];
  return [curl(use), python(use), ...(use.message === undefined ? [] : [openai(use)]), typescript(use), mcp(use)];
}

const bodyOf = ({ message, inputs }: FlowUse) => ({
  ...(message !== undefined && { message }),
  ...(Object.keys(inputs).length > 0 && { inputs }),
});

const addressOf = ({ url, id, isQueued }: FlowUse) => `${url}api/v1/flows/${id}/${isQueued ? 'runs' : 'run'}`;

const QUEUED = 'The response has the id of the run, which waits for a person. GET /api/v1/runs/{id} has its result.';

function curl(use: FlowUse): Snippet {
  return {
    id: 'curl',
    name: 'curl',
    about: use.isQueued ? QUEUED : 'The response is JSON: text, outputs and metrics.',
    code: [
      `curl ${inShell(addressOf(use))} \\`,
      `  -H "Authorization: Bearer $CROFT_KEY" \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d ${inShell(jsonOf(bodyOf(use)))}`,
    ].join('\n'),
  };
}

function python(use: FlowUse): Snippet {
  return {
    id: 'python',
    name: 'Python',
    about: use.isQueued ? QUEUED : 'Install requests. A run that fails has the status 422 and a failure.',
    code: `import os
import requests

response = requests.post(
    ${quoted(addressOf(use))},
    headers={'Authorization': f'Bearer {os.environ["CROFT_KEY"]}'},
    json=${inPython(bodyOf(use)).replaceAll('\n', '\n    ')},
)
run = response.json()
print(${use.isQueued ? "run['id']" : "run['failure']['message'] if run.get('failure') else run['text']"})`,
  };
}

function openai({ url, id, message }: FlowUse): Snippet {
  return {
    id: 'openai',
    name: 'OpenAI (JavaScript)',
    about:
      'The flow is a model of the OpenAI API, also with stream: true. Install openai. Clients in other languages take the same address.',
    code: `import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: ${quoted(`${url}api/v1/flows/${id}/openai/v1`)},
  apiKey: process.env.CROFT_KEY,
});
const completion = await client.chat.completions.create({
  model: ${quoted(id)},
  messages: [{ role: 'user', content: ${quoted(message ?? '')} }],
});
console.log(completion.choices[0]?.message.content);`,
  };
}

function typescript(use: FlowUse): Snippet {
  return {
    id: 'typescript',
    name: 'TypeScript',
    about: use.isQueued ? QUEUED : 'Needs no library. A run that fails has the status 422 and a failure.',
    code: `const response = await fetch(${quoted(addressOf(use))}, {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.CROFT_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${jsonOf(bodyOf(use), 2).replaceAll('\n', '\n  ')}),
});
const run = await response.json();
console.log(${use.isQueued ? 'run.id' : 'run.failure?.message ?? run.text'});`,
  };
}

function mcp({ url, id, message, inputs }: FlowUse): Snippet {
  const args = {
    flow_id: id,
    ...(message !== undefined && { input_value: message }),
    ...(Object.keys(inputs).length > 0 && { tweaks: inputs }),
  };
  return {
    id: 'mcp',
    name: 'MCP (JavaScript)',
    about: 'The tool run_flow. Agents that speak MCP use the same address. Install @modelcontextprotocol/sdk.',
    code: `import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const client = new Client({ name: 'my-program', version: '1.0.0' });
await client.connect(
  new StreamableHTTPClientTransport(new URL(${quoted(`${url}mcp/flows`)}), {
    requestInit: { headers: { Authorization: \`Bearer \${process.env.CROFT_KEY}\` } },
  }),
);
const result = await client.callTool({
  name: 'run_flow',
  arguments: ${jsonOf(args, 2).replaceAll('\n', '\n  ')},
});
console.log(JSON.stringify(result.structuredContent));
await client.close();`,
  };
}

/** Characters that control a terminal, or hide and reorder what a person sees before they run the code. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** JSON in which hidden characters are escaped. Line breaks of the indentation stay. */
const jsonOf = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(HIDDEN, (found) => (found === '\n' ? found : escaped(found)));

const escaped = (text: string): string =>
  text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** A text of a script. JSON in single quotes. */
function quoted(text: string): string {
  const inside = jsonOf(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inside}'`;
}

const WORDS_OF_PYTHON: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** A value of a script in Python: JSON with other words. Each line ends with a value, and a text ends with its quote. */
const inPython = (value: unknown): string =>
  jsonOf(value, 4).replace(/\b(true|false|null)(?=,?$)/gm, (word) => WORDS_OF_PYTHON[word] ?? word);

/** One word of a POSIX shell. */
const inShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
