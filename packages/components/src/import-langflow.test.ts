import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createRegistry,
  importLangflow,
  isLangflowExport,
  parseFlow,
  printFlow,
  runToEnd,
  validateFlow,
  type Json,
} from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { realData } from '../../../tests/support/real-data.ts';
import { builtinRegistry } from './builtin.ts';

const registry = builtinRegistry();
const services = { now: () => new Date(0) };

interface Field {
  value: Json;
  password?: boolean;
  load_from_db?: boolean;
}
const nodeOf = (id: string, type: string, fields: Record<string, Field> = {}, more: object = {}) => ({
  id,
  type: 'genericNode',
  position: { x: 1, y: 2 },
  data: { id, type, node: { display_name: type, template: { code: { value: 'import os' }, ...fields }, ...more } },
});
const edgeOf = (from: string, output: string, to: string, input: string) => ({
  source: from,
  target: to,
  sourceHandle: JSON.stringify({ dataType: 'x', id: from, name: output, output_types: ['Message'] }).replaceAll(
    '"',
    'œ',
  ),
  targetHandle: JSON.stringify({ fieldName: input, id: to, inputTypes: ['Message'], type: 'str' }).replaceAll('"', 'œ'),
});
const exportOf = (nodes: object[], edges: object[]) => ({ name: 'Exported', data: { nodes, edges } });

const input = nodeOf('ChatInput-a', 'ChatInput', { input_value: { value: 'Ada' } });
const output = nodeOf('ChatOutput-c', 'ChatOutput');

describe('an export of Langflow', () => {
  it('keeps an output of a component of its own that has the name of the tool output', () => {
    const own = nodeOf('Own-b', 'OwnComponent');
    const ofTool = {
      source: 'Own-b',
      target: 'Agent-c',
      data: {
        sourceHandle: { id: 'Own-b', name: 'component_as_tool', output_types: ['Tool'] },
        targetHandle: { id: 'Agent-c', fieldName: 'tools', inputTypes: ['Tool'] },
      },
    };
    const read = (edge: object) =>
      importLangflow(exportOf([own, nodeOf('Agent-c', 'Agent'), output], [edge]), registry).flow;
    const kept = read(edgeOf('Own-b', 'component_as_tool', 'ChatOutput-c', 'input_value'));
    expect(kept.edges).toEqual([
      { from: { node: 'Own-b', port: 'component_as_tool' }, to: { node: 'ChatOutput-c', port: 'input_value' } },
    ]);
    expect([kept.nodes[0]?.toolMode, read(ofTool).nodes[0]?.toolMode]).toEqual([undefined, true]);
  });

  it('becomes a flow that runs, with ids, positions, values and edges kept', async () => {
    const prompt = nodeOf('Prompt-b', 'Prompt', { template: { value: 'Hello {who}' } });
    const { flow, findings } = importLangflow(
      exportOf(
        [input, prompt, output],
        [
          edgeOf('ChatInput-a', 'message', 'Prompt-b', 'who'),
          edgeOf('Prompt-b', 'prompt', 'ChatOutput-c', 'input_value'),
        ],
      ),
      registry,
    );
    expect(findings).toEqual([]);
    expect(flow.nodes.map(({ id, type }) => [id, type])).toEqual([
      ['ChatInput-a', 'ChatInput'],
      ['Prompt-b', 'PromptTemplate'],
      ['ChatOutput-c', 'ChatOutput'],
    ]);
    expect(flow.nodes[1]).toMatchObject({ position: { x: 1, y: 2 }, values: { template: 'Hello {who}' } });
    expect(validateFlow(flow, registry)).toEqual([]);
    expect(printFlow(parseFlow(JSON.parse(printFlow(flow))))).toBe(printFlow(flow));
    expect((await runToEnd(flow, { registry, services })).text).toBe('Hello Ada');
  });

  it('brings neither Python code nor secrets, and keeps the name of a variable', () => {
    const unknown = nodeOf('X-1', 'NoSuchThing', {
      api_key: { value: 'sk-secret', password: true },
      other_key: { value: 'OPENAI_API_KEY', password: true, load_from_db: true },
    });
    const text = JSON.stringify(importLangflow(exportOf([unknown], []), registry));
    expect(text).not.toContain('import os');
    expect(text).not.toContain('sk-secret');
    expect(text).toContain('OPENAI_API_KEY');
  });

  it('turns double braces of a template into single ones, and keeps other braces as text', () => {
    const prompt = nodeOf('Prompt-b', 'Prompt', {
      template: { value: '{"name": {{ who }}}' },
      use_double_brackets: { value: true },
    });
    const { flow } = importLangflow(exportOf([prompt], []), registry);
    expect(flow.nodes[0]?.values['template']).toBe('{{"name": {who}}}');
  });

  it('reports a node without a counterpart and keeps its edges; the run is refused before its first effect', async () => {
    const unknown = nodeOf('X-1', 'NoSuchThing');
    const { flow, findings } = importLangflow(
      exportOf(
        [input, unknown, output],
        [edgeOf('ChatInput-a', 'message', 'X-1', 'query'), edgeOf('X-1', 'found', 'ChatOutput-c', 'input_value')],
      ),
      registry,
    );
    expect(flow.edges).toHaveLength(2);
    expect(findings.map(({ code, node }) => [code, node])).toEqual([['unmapped', 'X-1']]);
    const { status, failure } = await runToEnd(flow, { registry, services });
    expect(status).toBe('failed');
    expect(failure).toMatchObject({ node: 'X-1' });
  });

  it('reports a value of the wrong kind and an edge to a port that does not exist', () => {
    const split = nodeOf('Split-1', 'SplitText', { chunk_size: { value: 'many' }, chunk_overlap: { value: '50' } });
    const { flow, findings } = importLangflow(
      exportOf([input, split], [edgeOf('ChatInput-a', 'message', 'Split-1', 'no_such_input')]),
      registry,
    );
    expect(flow.edges).toEqual([]);
    expect(flow.nodes[1]?.values).toEqual({ chunk_overlap: 50 });
    expect(findings.map(({ code, node, field }) => [code, node, field])).toEqual([
      ['wrong_value', 'Split-1', 'chunk_size'],
      ['unknown_port', 'Split-1', 'no_such_input'],
    ]);
  });

  describe('of another version of Langflow', () => {
    const withPort = (from: string, output: string, to: string, name: string) => edgeOf(from, output, to, name);
    const typesOf = (nodes: object[], edges: object[] = []) => {
      const { flow, findings } = importLangflow(exportOf(nodes, edges), registry);
      const ends = flow.edges.map(({ from, to }) => `${from.node}.${from.port} -> ${to.node}.${to.port}`);
      return { flow, findings, ends, types: flow.nodes.map(({ id, type }) => [id, type]) };
    };

    it('keeps the model of exports that write provider and name apart, and connections to the earlier field', () => {
      const { flow, findings, ends } = typesOf(
        [
          nodeOf('LM-1', 'LanguageModelComponent', {
            provider: { value: 'Anthropic' },
            model_name: { value: 'claude-3-5-sonnet-latest' },
            max_tokens: { value: 0 },
          }),
          nodeOf('S-1', 'StructuredOutput'),
          nodeOf('A-1', 'Agent', { agent_llm: { value: 'OpenAI' }, model_name: { value: 'gpt-4.1' } }),
          nodeOf('O-1', 'OllamaModel', { model_name: { value: 'llama3' } }),
        ],
        [withPort('LM-1', 'model_output', 'S-1', 'llm'), withPort('O-1', 'model_output', 'A-1', 'agent_llm')],
      );
      expect(flow.nodes.map(({ type, values }) => [type, values['model'], values['max_tokens']])).toEqual([
        ['LanguageModelComponent', [{ provider: 'Anthropic', name: 'claude-3-5-sonnet-latest' }], undefined],
        ['StructuredOutput', undefined, undefined],
        ['Agent', [{ provider: 'OpenAI', name: 'gpt-4.1' }], undefined],
        ['LanguageModelComponent', [{ provider: 'Ollama', name: 'llama3' }], undefined],
      ]);
      expect(ends).toEqual(['LM-1.model_output -> S-1.model', 'O-1.model_output -> A-1.model']);
      expect(findings).toEqual([]);
    });

    it('makes of a vector store what writes a collection, what searches it, or both', () => {
      const { types, ends, findings } = typesOf(
        [
          nodeOf('SplitText-1', 'SplitText'),
          nodeOf('Chroma-2', 'Chroma', { collection_name: { value: 'notes' }, search_type: { value: 'MMR' } }),
          nodeOf('AstraDB-3', 'AstraDB', { collection_name: { value: 'notes' } }),
          nodeOf('FAISS-4', 'FAISS', { index_name: { value: 'other' } }),
          input,
          nodeOf('parser-5', 'ParserComponent'),
        ],
        [
          withPort('SplitText-1', 'dataframe', 'Chroma-2', 'ingest_data'),
          withPort('ChatInput-a', 'message', 'AstraDB-3', 'search_query'),
          withPort('AstraDB-3', 'search_results', 'parser-5', 'input_data'),
          withPort('SplitText-1', 'dataframe', 'FAISS-4', 'ingest_data'),
          withPort('ChatInput-a', 'message', 'FAISS-4', 'search_query'),
        ],
      );
      expect(types.slice(1, 5)).toEqual([
        ['Chroma-2', 'VectorStoreWrite'],
        ['AstraDB-3', 'VectorSearch'],
        ['VectorStoreWrite-4', 'VectorStoreWrite'],
        ['FAISS-4', 'VectorSearch'],
      ]);
      expect(ends).toEqual([
        'SplitText-1.dataframe -> Chroma-2.ingest_data',
        'ChatInput-a.message -> AstraDB-3.search_query',
        'AstraDB-3.dataframe -> parser-5.input_data',
        'SplitText-1.dataframe -> VectorStoreWrite-4.ingest_data',
        'ChatInput-a.message -> FAISS-4.search_query',
        'Chroma-2.result -> AstraDB-3.after',
        'VectorStoreWrite-4.result -> FAISS-4.after',
      ]);
      expect(findings.map(({ code, node }) => [code, node])).toEqual([
        ['unmapped', 'Chroma-2'],
        ['unmapped', 'AstraDB-3'],
        ['unmapped', 'FAISS-4'],
      ]);
    });

    it('adds no order to a search that the text of the collection comes from', () => {
      const { ends } = typesOf(
        [nodeOf('AstraDB-1', 'AstraDB'), nodeOf('Chroma-2', 'Chroma')],
        [withPort('AstraDB-1', 'dataframe', 'Chroma-2', 'ingest_data')],
      );
      expect(ends).toEqual(['AstraDB-1.dataframe -> Chroma-2.ingest_data']);
    });

    it('takes over embedding models of known providers, leaves others out, and says so', () => {
      const listed = (provider: string) => ({ model: { value: [{ name: 'text-embedding-3-small', provider }] } });
      const { flow, findings } = typesOf([
        nodeOf('E-1', 'EmbeddingModel', listed('OpenAI')),
        nodeOf('E-2', 'OpenAIEmbeddings', { model: { value: 'text-embedding-3-large' } }),
        nodeOf('E-3', 'Google Generative AI Embeddings', { model_name: { value: 'models/text-embedding-004' } }),
        nodeOf('E-4', 'OllamaEmbeddings'),
        nodeOf('E-5', 'EmbeddingModel', listed('IBM WatsonX')),
      ]);
      expect(flow.nodes.map(({ type, values }) => [type, values])).toEqual([
        ['EmbeddingModel', { model: 'OpenAI/text-embedding-3-small' }],
        ['EmbeddingModel', { model: 'OpenAI/text-embedding-3-large' }],
        ['EmbeddingModel', { model: 'Google Generative AI/text-embedding-004' }],
        ['EmbeddingModel', { model: 'Ollama' }],
        ['EmbeddingModel', {}],
      ]);
      expect(findings.map(({ node, message }) => [node, message])).toEqual([
        ['E-5', expect.stringContaining("'text-embedding-3-small' of E-5 is left out")],
      ]);
    });

    it('reads a file whose rows are used as data, and connects fields that take texts', () => {
      const { types, ends } = typesOf(
        [
          nodeOf('File-1', 'File', { path: { value: ['t.csv'] } as never }),
          nodeOf('LoopComponent-2', 'LoopComponent'),
          nodeOf('ParseData-3', 'ParseData', { template: { value: 'Is {q}' } }),
          nodeOf('TextInput-4', 'TextInput'),
          output,
        ],
        [
          withPort('File-1', 'dataframe', 'LoopComponent-2', 'data'),
          withPort('LoopComponent-2', 'item', 'ParseData-3', 'data'),
          withPort('ParseData-3', 'text', 'ChatOutput-c', 'input_value'),
          withPort('TextInput-4', 'text', 'ChatOutput-c', 'sender_name'),
        ],
      );
      expect(types.slice(0, 3)).toEqual([
        ['File-1', 'ReadData'],
        ['LoopComponent-2', 'LoopComponent'],
        ['ParseData-3', 'ParserComponent'],
      ]);
      expect(ends).toEqual([
        'File-1.dataframe -> LoopComponent-2.data',
        'LoopComponent-2.item -> ParseData-3.input_data',
        'ParseData-3.parsed_text -> ChatOutput-c.input_value',
        'TextInput-4.text -> ChatOutput-c.sender_name',
      ]);
    });

    it.each([
      ['a password', 'https://me:pw@example.com/mcp', 'https://example.com/mcp'],
      ['a user', 'https://tok@example.com', 'https://example.com'],
      ['a query', 'https://example.com/mcp?api=abc&x=1', 'https://example.com/mcp?api=&x='],
      ['a key in the path', `https://example.com/ghp_${'a1'.repeat(12)}/sse`, 'https://example.com/[removed]/sse'],
    ])('leaves %s out of the address of an MCP server, and says so', (_, url, shown) => {
      const node = nodeOf('MCP-1', 'MCPTools', { mcp_server: { value: { name: 's', config: { url } } as Json } });
      const { flow, findings } = typesOf([node]);
      expect(flow.nodes[0]?.values).toEqual({ url: shown });
      expect(findings.map(({ field }) => field)).toEqual(['url']);
    });

    it.each([
      [['--pat', 'abc']],
      [[`ghp_${'a1'.repeat(12)}`]],
      [['postgres://me:pw@db/x']],
      [['https://example.com/sse?x=abc']],
      [['--db=https://tok@example.com']],
      [['-p', '5f4dcc3b5aa765d61d8327deb882cf99']],
    ])('leaves the command %j of an MCP server out, and says so', (args) => {
      const config = { command: 'npx', args };
      const node = nodeOf('MCP-1', 'MCPTools', { mcp_server: { value: { name: 's', config } as Json } });
      const { flow, findings } = typesOf([node]);
      expect(JSON.stringify(flow)).not.toContain(args.at(-1));
      expect(findings.map(({ field }) => field)).toEqual(['command']);
    });

    it('takes the address or command of an MCP server over, but no command or header that may hold a secret', () => {
      const server = (config: object) =>
        nodeOf('MCP-1', 'MCPTools', { mcp_server: { value: { name: 's', config } as Json } });
      const valuesOf = (config: object) => {
        const { flow, findings } = typesOf([server(config)]);
        return [flow.nodes[0]?.values, findings.map(({ field }) => field)];
      };
      expect(valuesOf({ url: 'https://example.com/mcp' })).toEqual([{ url: 'https://example.com/mcp' }, []]);
      expect(valuesOf({ url: 'https://example.com/mcp', headers: { Authorization: 'Bearer sk-1' } })).toEqual([
        { url: 'https://example.com/mcp' },
        ['headers'],
      ]);
      expect(valuesOf({ command: 'npx', args: ['-y', 'a server'] })).toEqual([
        { transport: 'Command', command: 'npx -y "a server"' },
        [],
      ]);
      expect(valuesOf({ command: 'uvx', args: ['proxy', '--headers', 'x-api-key', 'sk-canary'] })).toEqual([
        { transport: 'Command' },
        ['command'],
      ]);
    });

    it('reads edges and nodes of versions before 1.0, and lays a flow without positions out', () => {
      const place = ({ id, data }: ReturnType<typeof nodeOf>) => ({ id, data });
      const old = [
        {
          source: 'ChatInput-a',
          target: 'X-1',
          sourceHandle: 'ChatInput|ChatInput-a|str',
          targetHandle: 'str|query|X-1',
        },
        {
          source: 'X-1',
          target: 'ChatOutput-c',
          data: { sourceHandle: { baseClasses: ['str'], id: 'X-1' }, targetHandle: { fieldName: 'input_value' } },
        },
      ];
      const { flow, ends } = typesOf([input, nodeOf('X-1', 'LLMChain'), output].map(place), old);
      expect(ends).toEqual(['ChatInput-a.message -> X-1.query', 'X-1.output -> ChatOutput-c.input_value']);
      expect(flow.nodes.map(({ position }) => position.x)).toEqual([0, 600, 1200]);
    });

    describe('operations on texts', () => {
      const imported = (operation: string, values: Record<string, Json> = {}, out = 'message') => {
        const fields = Object.entries(values).map(([name, value]) => [name, { value }] as const);
        const node = nodeOf('T-1', 'TextOperations', {
          text_input: { value: '' },
          operation: { value: [{ name: operation, icon: 'type' }] },
          ...Object.fromEntries(fields),
        });
        const edges = [
          edgeOf('ChatInput-a', 'message', 'T-1', 'text_input'),
          edgeOf('T-1', out, 'ChatOutput-c', 'input_value'),
        ];
        return importLangflow(exportOf([input, node, output], edges), registry);
      };

      it.each([
        ['Case Conversion', { case_type: 'uppercase' }, 'A-B 1'],
        ['Case Conversion', { case_type: 'title' }, 'A-B 1'],
        ['Text Replace', { search_pattern: '-', replacement_text: '$&', use_regex: false }, 'a$&b 1'],
        [
          'Text Replace',
          { search_pattern: '(\\w)-(?P<x>\\w)', replacement_text: '\\g<x>$\\1', use_regex: true },
          'b$a 1',
        ],
        ['Text Strip', { strip_mode: 'right', strip_characters: '' }, 'a-b 1'],
        ['Text Head', { head_characters: 2 }, 'a-'],
        ['Text Tail', { tail_characters: 3, head_characters: 100 }, 'b 1'],
      ])('run as there: %s %j', async (operation, values, expected) => {
        const { flow, findings } = imported(operation, values);
        expect(findings).toEqual([]);
        const inputs = { 'ChatInput-a': { input_value: 'a-b 1' } };
        expect((await runToEnd(flow, { registry, services, inputs })).text).toBe(expected);
      });

      it('become other components where Croft has those, and say what differs', async () => {
        const inputs = { 'ChatInput-a': { input_value: 'a-b 1' } };
        const extract = imported('Text Extract', { extract_pattern: '[a-z]', max_matches: 10 });
        expect((await runToEnd(extract.flow, { registry, services, inputs })).text).toBe('a\nb');
        const joined = imported('Text Join', { text_input_2: 'c' }, 'text');
        expect((await runToEnd(joined.flow, { registry, services, inputs })).text).toBe('a-b 1\nc');
        const counted = imported('Word Count', {}, 'data');
        expect(counted.flow.nodes[1]?.type).toBe('TextStatistics');
        expect([extract, joined, counted].map(({ findings }) => findings.map(({ node }) => node))).toEqual([
          ['T-1'],
          [],
          ['T-1'],
        ]);
      });

      it.each([
        ['Text Clean', {}, 'TextOperations (Text Clean)'],
        ['Text to DataFrame', {}, 'TextOperations (Text to DataFrame)'],
        ['Case Conversion', { case_type: 'swapcase' }, 'TextOperations (Case Conversion)'],
      ])('that Croft does not have are reported: %s %j', (operation, values, type) => {
        const { flow, findings } = imported(operation, values);
        expect([flow.nodes[1]?.type, flow.edges.length]).toEqual([type, 2]);
        expect(findings).toMatchObject([{ code: 'unmapped', node: 'T-1' }]);
      });
    });

    it('keeps the type of a component that the user has', () => {
      const own = createRegistry([
        ...registry.entries,
        {
          descriptor: {
            type: 'OllamaModel',
            label: '',
            description: '',
            category: '',
            fields: [],
            outputs: [],
            effects: ['none' as const],
          },
        },
      ]);
      expect(importLangflow(exportOf([nodeOf('O-1', 'OllamaModel')], []), own).flow.nodes[0]?.type).toBe('OllamaModel');
    });
  });

  it('is refused with the place when it is broken', () => {
    expect(() => importLangflow({ data: { nodes: [{ id: 'a' }], edges: [] } }, registry)).toThrow(
      /^Node 1 of the Langflow export, field 'data' cannot be read/,
    );
    expect(() => importLangflow({ data: { nodes: [], edges: [{ source: 'a', target: 'b' }] } }, registry)).toThrow(
      'Edge 1 of the Langflow export does not name its ports. Export the flow again.',
    );
  });

  it('is told apart from a document of Croft', () => {
    expect(isLangflowExport(exportOf([], []))).toBe(true);
    expect(isLangflowExport({ version: 1, nodes: [], edges: [] })).toBe(false);
    expect(isLangflowExport(null)).toBe(false);
  });
});

const starters = realData('langflow-starters');

describe.skipIf(starters === undefined)('the starter flows of Langflow (skipped where they are not present)', () => {
  const files = starters === undefined ? [] : readdirSync(starters).filter((name) => name.endsWith('.json'));
  it.each(files)('%s keeps every edge between components of Croft, and reports every other node', (file) => {
    const exported = JSON.parse(readFileSync(join(starters as string, file), 'utf8')) as {
      data: {
        nodes: { id: string; type: string; data: { type?: string } }[];
        edges: { source: string; target: string }[];
      };
    };
    const { flow, findings } = importLangflow(exported, registry);
    const reported = new Set(findings.filter(({ code }) => code === 'unmapped').map(({ node }) => node));
    const nodes = new Map(flow.nodes.map((node) => [node.id, node]));
    for (const { id, type } of exported.data.nodes)
      if (type !== 'noteNode')
        expect(registry.get(nodes.get(id)?.type ?? '') !== undefined || reported.has(id), id).toBe(true);
    const kept = new Set(flow.edges.map(({ from, to }) => `${from.node} ${to.node}`));
    for (const { source, target } of exported.data.edges) expect(kept, file).toContain(`${source} ${target}`);
    expect(flow.edges.length).toBeGreaterThanOrEqual(exported.data.edges.length);
    expect(findings.filter(({ code }) => code === 'unknown_port')).toEqual([]);
    expect(flow.notes).toHaveLength(exported.data.nodes.length - flow.nodes.length);
  });
});
