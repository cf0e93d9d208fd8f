import { expect, it } from 'vitest';
import { type FlowUse, type Snippet, snippetsOf } from './snippets.ts';
import { HOSTILE, HOSTILE_USE } from './testing.ts';

const USE: FlowUse = {
  url: 'http://127.0.0.1:7860/',
  id: '7d1f',
  message: 'Hello',
  inputs: { N: { path: 'a.csv' } },
  isQueued: false,
};
/** Of the request in TypeScript, after its address. */
const REQUEST = [
  "  method: 'POST',",
  '  headers: {',
  '    Authorization: `Bearer ${process.env.CROFT_KEY}`,',
  "    'Content-Type': 'application/json',",
  '  },',
  '  body: JSON.stringify({',
  '    "message": "Hello",',
  '    "inputs": {',
  '      "N": {',
  '        "path": "a.csv"',
  '      }',
  '    }',
  '  }),',
  '});',
  'const run = await response.json();',
];
/** Of the request in Python, after its address. */
const PYTHON_REQUEST = [
  "    headers={'Authorization': f'Bearer {os.environ[\"CROFT_KEY\"]}'},",
  '    json={',
  '        "message": "Hello",',
  '        "inputs": {',
  '            "N": {',
  '                "path": "a.csv"',
  '            }',
  '        }',
  '    },',
  ')',
  'run = response.json()',
];
const lines = ({ code, ...more }: Snippet) => ({ ...more, code: code.split('\n') });

it('writes code that runs a flow in five ways', () => {
  expect(snippetsOf(USE).map(lines)).toEqual([
    {
      about: 'The response is JSON: text, outputs and metrics.',
      code: [
        "curl 'http://127.0.0.1:7860/api/v1/flows/7d1f/run' \\",
        '  -H "Authorization: Bearer $CROFT_KEY" \\',
        "  -H 'Content-Type: application/json' \\",
        '  -d \'{"message":"Hello","inputs":{"N":{"path":"a.csv"}}}\'',
      ],
      id: 'curl',
      name: 'curl',
    },
    {
      about: 'Install requests. A run that fails has the status 422 and a failure.',
      code: [
        'import os',
        'import requests',
        '',
        'response = requests.post(',
        "    'http://127.0.0.1:7860/api/v1/flows/7d1f/run',",
        ...PYTHON_REQUEST,
        "print(run['failure']['message'] if run.get('failure') else run['text'])",
      ],
      id: 'python',
      name: 'Python',
    },
    {
      about:
        'The flow is a model of the OpenAI API, also with stream: true. Install openai. Clients in other languages take the same address.',
      code: [
        "import OpenAI from 'openai';",
        '',
        'const client = new OpenAI({',
        "  baseURL: 'http://127.0.0.1:7860/api/v1/flows/7d1f/openai/v1',",
        '  apiKey: process.env.CROFT_KEY,',
        '});',
        'const completion = await client.chat.completions.create({',
        "  model: '7d1f',",
        "  messages: [{ role: 'user', content: 'Hello' }],",
        '});',
        'console.log(completion.choices[0]?.message.content);',
      ],
      id: 'openai',
      name: 'OpenAI (JavaScript)',
    },
    {
      about: 'Needs no library. A run that fails has the status 422 and a failure.',
      code: [
        "const response = await fetch('http://127.0.0.1:7860/api/v1/flows/7d1f/run', {",
        ...REQUEST,
        'console.log(run.failure?.message ?? run.text);',
      ],
      id: 'typescript',
      name: 'TypeScript',
    },
    {
      about: 'The tool run_flow. Agents that speak MCP use the same address. Install @modelcontextprotocol/sdk.',
      code: [
        "import { Client } from '@modelcontextprotocol/sdk/client/index.js';",
        "import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';",
        '',
        "const client = new Client({ name: 'my-program', version: '1.0.0' });",
        'await client.connect(',
        "  new StreamableHTTPClientTransport(new URL('http://127.0.0.1:7860/mcp/flows'), {",
        '    requestInit: { headers: { Authorization: `Bearer ${process.env.CROFT_KEY}` } },',
        '  }),',
        ');',
        'const result = await client.callTool({',
        "  name: 'run_flow',",
        '  arguments: {',
        '    "flow_id": "7d1f",',
        '    "input_value": "Hello",',
        '    "tweaks": {',
        '      "N": {',
        '        "path": "a.csv"',
        '      }',
        '    }',
        '  },',
        '});',
        'console.log(JSON.stringify(result.structuredContent));',
        'await client.close();',
      ],
      id: 'mcp',
      name: 'MCP (JavaScript)',
    },
  ]);
});

it('writes code that queues a run, where a person may have to answer', () => {
  expect(snippetsOf({ ...USE, isQueued: true }).map(lines)).toEqual([
    {
      about: 'The response has the id of the run, which waits for a person. GET /api/v1/runs/{id} has its result.',
      code: [
        "curl 'http://127.0.0.1:7860/api/v1/flows/7d1f/runs' \\",
        '  -H "Authorization: Bearer $CROFT_KEY" \\',
        "  -H 'Content-Type: application/json' \\",
        '  -d \'{"message":"Hello","inputs":{"N":{"path":"a.csv"}}}\'',
      ],
      id: 'curl',
      name: 'curl',
    },
    {
      about: 'The response has the id of the run, which waits for a person. GET /api/v1/runs/{id} has its result.',
      code: [
        'import os',
        'import requests',
        '',
        'response = requests.post(',
        "    'http://127.0.0.1:7860/api/v1/flows/7d1f/runs',",
        ...PYTHON_REQUEST,
        "print(run['id'])",
      ],
      id: 'python',
      name: 'Python',
    },
    {
      about: 'The response has the id of the run, which waits for a person. GET /api/v1/runs/{id} has its result.',
      code: [
        "const response = await fetch('http://127.0.0.1:7860/api/v1/flows/7d1f/runs', {",
        ...REQUEST,
        'console.log(run.id);',
      ],
      id: 'typescript',
      name: 'TypeScript',
    },
  ]);
});

it('leaves out the message and the inputs that a flow does not have', () => {
  const codes = snippetsOf({ ...USE, message: undefined, inputs: {} }).map(({ id, code }) => [id, code]);
  expect(codes.map(([id]) => id)).toEqual(['curl', 'python', 'typescript', 'mcp']);
  expect(codes[0]?.[1]).toContain("-d '{}'");
  expect(codes[1]?.[1]).toContain('json={},');
  expect(codes[2]?.[1]).toContain('JSON.stringify({})');
  expect(codes[3]?.[1]).toContain('arguments: {\n    "flow_id": "7d1f"\n  },');
});

it('writes the words of Python in place of those of JSON, and leaves texts as they are', () => {
  const values = { on: true, off: false, none: null, list: [true, null], text: 'is true', null: 'false' };
  const [, python] = snippetsOf({ ...USE, inputs: { N: values } });
  const found = python?.code.split('\n').map((line) => line.trim());
  expect(found?.slice(10, -5)).toEqual([
    '"on": True,',
    '"off": False,',
    '"none": None,',
    '"list": [',
    'True,',
    'None',
    '],',
    '"text": "is true",',
    '"null": "false"',
    '}',
  ]);
});

it('gives a person code that shows everything which it runs', () => {
  for (const { id, code } of snippetsOf(HOSTILE_USE)) {
    expect.soft(code.replaceAll('\n', ''), id).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  }
});

it('gives a shell and a script the message of a flow as one text', () => {
  const [curl, , openai] = snippetsOf({ ...HOSTILE_USE, inputs: {} });
  const word = (/-d '(.*)'$/.exec(curl?.code ?? '')?.[1] ?? '').replaceAll("'\\''", "'");
  expect(JSON.parse(word)).toEqual({ message: HOSTILE });
  const text = /content: ('.*') \}\]/.exec(openai?.code ?? '')?.[1] ?? '';
  // A literal of JavaScript in single quotes, as one of JSON.
  const json = `"${text.slice(1, -1).replaceAll("\\'", "'").replaceAll('"', '\\"')}"`;
  expect(JSON.parse(json)).toBe(HOSTILE);
});
