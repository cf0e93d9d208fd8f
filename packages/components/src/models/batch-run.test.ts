import type { Progress } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { callOf, runAlone, runNode, textsOf, declaredBy } from '../testing.ts';
import { recordedModels, USAGE, useScriptedModels } from './testing-models.ts';
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

const INPUTS = { model: { provider: 'OpenAI', name: 'gpt-4o', temperature: 0.5 }, output_column_name: 'reply' };

it('asks about as many rows at a time as chosen, and reports the progress and the usage', async () => {
  const { services, asked } = recordedModels({ text: 'A' }, { text: 'B' }, { text: 'C' });
  const df = [{ a: { b: 1 } }, { a: 'x' }, { c: 2 }];
  const inputs = { ...INPUTS, df, column_name: 'a.b', concurrency: 2, system_message: 'S', max_tokens: 9 };
  expect(await runAlone(batchRun, inputs, services)).toEqual({
    outputs: { batch_results: df.map((row, at) => ({ ...row, reply: 'ABC'[at], batch_index: at })) },
    progress: [{ kind: 'progress', done: 0, total: 3 }, USAGE, USAGE, { kind: 'progress', done: 2, total: 3 }, USAGE],
  });
  expect(asked).toEqual(
    ['1', '', ''].map((text) => ({
      model: { provider: 'OpenAI', name: 'gpt-4o' },
      system: 'S',
      messages: [{ role: 'user', text }],
      temperature: 0.5,
      maxOutputTokens: 9,
      signal: expect.any(AbortSignal),
    })),
  );
});

it('reports replies that were cut', async () => {
  const { services } = recordedModels({ text: 'A', finish: 'length' }, { text: 'B' });
  const { progress } = await runAlone(batchRun, { ...INPUTS, df: [{}, {}], concurrency: 2, max_tokens: 9 }, services);
  const log = { kind: 'log', text: 'The reply was cut at the token limit of 9. Raise max_tokens.' };
  expect(progress).toEqual([{ kind: 'progress', done: 0, total: 2 }, USAGE, log, USAGE]);
});

it('sends the whole row without a column, and the token limit of the model before its own', async () => {
  const { services, asked } = recordedModels();
  const model = { provider: 'OpenAI', max_tokens: 5 };
  await runAlone(batchRun, { df: [{ a: 1 }], model, concurrency: 1, max_tokens: 9 }, services);
  expect(asked.map(({ messages, maxOutputTokens, system }) => [messages[0]?.text, maxOutputTokens, system])).toEqual([
    ['{"a":1}', 5, ''],
  ]);
});

it('gives failed rows an empty reply and the reason, and stops when the run is cancelled', async () => {
  const inputs = { ...INPUTS, df: [{ a: 1 }, { a: 2 }], concurrency: 2, enable_metadata: true };
  const { services } = recordedModels(new Error('no'), { text: 'B' });
  expect(await runAlone(batchRun, inputs, services)).toEqual({
    outputs: {
      batch_results: [
        { a: 1, reply: '', batch_index: 0, error: 'no' },
        { a: 2, reply: 'B', batch_index: 1, error: '' },
      ],
    },
    progress: [{ kind: 'progress', done: 0, total: 2 }, USAGE],
  });
  const cancelledRun = runAlone(batchRun, inputs, recordedModels(new Error('stop')).services, {
    signal: AbortSignal.abort(),
  });
  await expect(cancelledRun).rejects.toThrow('stop');
});

it('asks about at most 10,000 rows, and fails for more before it asks about any', async () => {
  const { services, asked } = recordedModels(new Error('no'));
  const running = (length: number) =>
    batchRun.run(
      callOf({ ...INPUTS, df: Array(length).fill({ a: 1 }), concurrency: 1 }, services),
    ) as AsyncGenerator<Progress>;
  const most = running(10_000);
  expect((await most.next()).value).toEqual({ kind: 'progress', done: 0, total: 10_000 });
  await most.return(undefined);
  await expect(running(10_001).next()).rejects.toMatchObject({
    message: '10001 rows are more than 10000.',
    fix: 'Filter the rows first, or split them.',
  });
  expect(asked).toEqual([]);
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
