import { describe, expect, it } from 'vitest';
import type { Json } from '../document.ts';
import { createRegistry } from '../registry.ts';
import { fakeComponent } from '../testing.ts';
import { withCounterparts } from './counterparts.ts';
import type { ExportedEdge, ExportedNode, LangflowExport } from './read-export.ts';

const node = (
  type: string,
  values: Readonly<Record<string, Json>> = {},
  more: Partial<ExportedNode> = {},
): ExportedNode => ({
  id: 'A',
  type,
  displayName: undefined,
  description: '',
  position: { x: 0, y: 0 },
  size: { width: 1, height: 1 },
  color: undefined,
  selectedOutput: undefined,
  toolMode: false,
  frozen: false,
  isEdited: false,
  fields: Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, { value, isSecret: false, isVariable: false }]),
  ),
  original: null,
  ...more,
});
const edge = (from: string, to: string): ExportedEdge => {
  const [[source = '', out = ''], [target = '', input = '']] = [from.split('.'), to.split('.')];
  return { from: { node: source, port: out }, to: { node: target, port: input }, isTool: false };
};
function convert(nodes: readonly ExportedNode[], edges: readonly ExportedEdge[] = [], own: readonly string[] = []) {
  const exported: LangflowExport = {
    name: 'F',
    description: '',
    nodes,
    edges,
    viewport: { x: 0, y: 0, zoom: 1 },
    isPlaced: true,
  };
  const made = withCounterparts(exported, createRegistry(own.map((type) => fakeComponent(type))));
  return {
    ...made,
    types: made.exported.nodes.map(({ type }) => type),
    values: Object.fromEntries(
      Object.entries(made.exported.nodes[0]?.fields ?? {}).map(([name, { value }]) => [name, value]),
    ),
    ends: made.exported.edges.map(({ from, to }) => `${from.node}.${from.port} ${to.node}.${to.port}`),
  };
}

describe('a component with another name', () => {
  it.each([
    ['ParseData', 'ParserComponent'],
    ['ParseDataFrame', 'ParserComponent'],
    ['MessagetoData', 'TypeConverterComponent'],
    ['DataToDataFrame', 'TypeConverterComponent'],
    ['OpenAIModel', 'LanguageModelComponent'],
    ['OllamaEmbeddings', 'EmbeddingModel'],
    ['Agent', 'Agent'],
    ['Other', 'Other'],
  ])('%s becomes %s', (type, expected) => expect(convert([node(type)]).types).toEqual([expected]));

  it('has the names of fields, outputs and edges', () => {
    const parser = node('ParseData', { data: 'd', template: 't', other: 'o' }, { selectedOutput: 'text' });
    const { exported, values, ends } = convert(
      [parser],
      [edge('X.out', 'A.data'), edge('A.text', 'Y.in'), edge('A.x', 'Y.in')],
    );
    expect(values).toEqual({ input_data: 'd', pattern: 't', other: 'o' });
    expect(exported.nodes[0]?.selectedOutput).toBe('parsed_text');
    expect(ends).toEqual(['X.out A.input_data', 'A.parsed_text Y.in', 'A.x Y.in']);
  });

  it('keeps the value that is set where two names lead to one field', () => {
    expect(convert([node('File', { file_path: 'a.txt', path: '' })]).values).toEqual({ path: 'a.txt' });
    expect(convert([node('File', { path: 'a.txt', file_path: null })]).values).toEqual({ path: 'a.txt' });
  });

  it('keeps its type and names where the registry has that type', () => {
    const { types, values, ends } = convert(
      [node('ParseData', { data: 'd' })],
      [edge('X.out', 'A.data')],
      ['ParseData'],
    );
    expect([types, values, ends]).toEqual([['ParseData'], { data: 'd' }, ['X.out A.data']]);
    expect(convert([node('File', { file_path: 'a' })], [], ['File']).values).toEqual({ path: 'a' });
  });

  it('is a text operation or a vector store', () => {
    expect(convert([node('TextOperations', { operation: 'Text Strip' })]).values).toMatchObject({ operation: 'Trim' });
    const store = convert([node('Chroma', { collection_name: 'docs' })]);
    expect([store.types, store.findings.length]).toEqual([['VectorSearch'], 1]);
    expect(convert([node('Chroma')], [], ['Chroma'])).toMatchObject({ types: ['Chroma'], findings: [] });
  });
});

it('a file is read as data where only its rows are used', () => {
  const file = node('File', { file_path: 'a.csv' });
  const types = (...edges: ExportedEdge[]) => convert([file], edges, ['File']).types;
  expect(types(edge('A.dataframe', 'B.in'))).toEqual(['ReadData']);
  expect(types(edge('A.dataframe', 'B.in'), edge('A.message', 'B.in'))).toEqual(['File']);
  expect(types(edge('X.dataframe', 'A.in'))).toEqual(['File']);
  expect(convert([node('Other')], [edge('A.dataframe', 'B.in')]).types).toEqual(['Other']);
});

describe('the model', () => {
  const model = (type: string, values: Readonly<Record<string, Json>>) => convert([node(type, values)]).values['model'];

  it.each<[string, string, Record<string, Json>, unknown]>([
    ['of a provider in the type', 'OpenAIModel', { model_name: 'gpt' }, [{ provider: 'OpenAI', name: 'gpt' }]],
    ['of a provider in the type, in one field', 'GroqModel', { model: 'l' }, [{ provider: 'Groq', name: 'l' }]],
    ['in two fields', 'Agent', { agent_llm: 'Anthropic', model_name: 'c' }, [{ provider: 'Anthropic', name: 'c' }]],
    ['by its provider first', 'Agent', { provider: 'P', agent_llm: 'Q', model_name: 'c' }, expect.anything()],
    ['that is there already', 'LanguageModelComponent', { model: 'm', provider: 'P', model_name: 'n' }, 'm'],
    ['without a name', 'OpenAIModel', { temperature: 1 }, undefined],
    ['without a provider', 'Other', { model_name: 'm' }, undefined],
    ['for vectors', 'OpenAIEmbeddings', { model: 'e' }, 'OpenAI/e'],
    ['for vectors, of a path', 'Google Generative AI Embeddings', { model_name: 'models/e' }, 'Google Generative AI/e'],
    ['for vectors, without a name', 'OllamaEmbeddings', {}, 'Ollama'],
    ['for vectors, by the provider', 'EmbeddingModel', { provider: 'Google', model: 'e' }, 'Google Generative AI/e'],
    [
      'for vectors, in a list',
      'EmbeddingModel',
      { model: [{ provider: 'Ollama', name: 'e' }, { name: 'f' }] },
      'Ollama/e',
    ],
    ['for vectors, in another form', 'EmbeddingModel', { model: [['Ollama']] }, null],
    ['for vectors, of nothing', 'EmbeddingModel', {}, null],
  ])('%s', (_, type, values, expected) => expect(model(type, values)).toEqual(expected));

  it('for vectors is left out where its provider is not known', () => {
    const { values, findings } = convert([node('EmbeddingModel', { provider: 'Other', model: 'e' })]);
    expect(values['model']).toBe(null);
    expect(findings).toEqual([
      {
        severity: 'warning',
        code: 'wrong_value',
        node: 'A',
        field: 'model',
        message: "The embedding model 'e' of A is left out: Croft has no embedding models of its provider.",
        fix: 'Choose another one, or nothing for croft/lexical, which needs no key. Then write the collection again.',
      },
    ]);
    expect(convert([node('EmbeddingModel')]).findings).toEqual([]);
  });
});
