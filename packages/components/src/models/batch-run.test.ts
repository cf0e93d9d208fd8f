import { describe, expect, it } from 'vitest';
import { runNode, textsOf, declaredBy } from '../testing.ts';
import { useScriptedModels } from './testing-models.ts';
import { batchRun } from './batch-run.ts';

const { models, cancelled, close } = useScriptedModels();

const MODEL = { model: 'OpenAI/gpt-4o' };
const ROWS = [{ text: 'one' }, { text: 'two' }, { text: 'three' }];

describe('BatchRunComponent', () => {
  const node = (config: Readonly<Record<string, unknown>>, services: object) => ({
    type: 'BatchRunComponent',
    output: 'batch_results',
    input: 'df',
    value: ROWS,
    config: { ...MODEL, concurrency: 1, column_name: 'text', ...config },
    services,
  });

  it('adds the reply to each row, in order, and counts all tokens', async () => {
    const services = await models({ text: 'A' }, { text: 'B' }, { text: 'C' });
    const { value, metrics } = await runNode(node({ output_column_name: 'reply' }, services));
    expect(value).toEqual(ROWS.map((row, at) => ({ ...row, reply: 'ABC'[at], batch_index: at })));
    expect(metrics).toMatchObject({ input_tokens: 30, output_tokens: 15 });
  });

  it('reports a failed row where asked, and stops otherwise', async () => {
    const replies = [{ text: 'A' }, { status: 400, body: '{"error":{"message":"bad row"}}' }, { text: 'C' }];
    const { value } = await runNode(node({ enable_metadata: true }, await models(...replies)));
    expect(value).toMatchObject([
      { error: '' },
      { model_response: '', error: expect.stringMatching(/./) },
      { error: '' },
    ]);
    await close();
    expect((await runNode(node({}, await models(...replies)))).status).toBe('failed');
  });

  it('closes the requests when the run is cancelled', async () => {
    const services = await models({ text: 'A', stall: 'before' });
    expect(await cancelled((signal) => runNode(node({}, services), { signal }))).toBe('cancelled');
  });
});

it('declares its effects and ports', () => {
  expect(declaredBy(batchRun)).toEqual([
    'BatchRunComponent: model',
    'model: model LanguageModel',
    'system_message: multiline Message variables=false',
    'df: handle Table Data required',
    'column_name: text default="" variables=false',
    'output_column_name: text advanced default="model_response" variables=false',
    'concurrency: integer advanced default=4 max=20 min=1',
    'enable_metadata: switch advanced default=false',
    'max_tokens: integer advanced max=1000000 min=1',
    'batch_results: gives Table',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(batchRun.descriptor)).toEqual([
    'Batch run (list-checks): Asks a language model about each row, and adds its reply as a column.',
    'models | rows | map | llm | BatchRun',
    'model: Language model | Empty: the preferred model of the user, or croft/offline where no provider has a key.',
    'system_message: Instructions',
    'df: Rows',
    'column_name: Column with the message | Empty: the whole row as JSON.',
    'output_column_name: Column of the reply',
    'concurrency: Rows at the same time',
    'enable_metadata: Report failed rows instead of stopping | Adds the columns batch_index and error.',
    'max_tokens: Token limit of a reply | Empty: no limit but the model’s own.',
    'batch_results: Rows',
  ]);
});
