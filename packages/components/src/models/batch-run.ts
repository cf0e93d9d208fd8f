import type { Progress } from '@croft/flow';
import { askModel, modelIn, positive } from './ask-model.ts';
import { maxTokensField, modelField } from './model-fields.ts';
import { ComponentError, type CroftComponent } from '../services.ts';
import { toRows, toText, valueAt } from '../values.ts';

const MAX_ROWS = 10_000;

/** One reply of a language model for each row. */
export const batchRun: CroftComponent = {
  descriptor: {
    type: 'BatchRunComponent',
    label: 'Batch run',
    description: 'Asks a language model about each row, and adds its reply as a column.',
    category: 'models',
    icon: 'list-checks',
    keywords: ['rows', 'map', 'llm'],
    aliases: ['BatchRun'],
    effects: ['model'],
    fields: [
      modelField,
      { name: 'system_message', label: 'Instructions', kind: 'multiline', accepts: ['Message'], variables: false },
      { name: 'df', label: 'Rows', kind: 'handle', accepts: ['Table', 'Data'], required: true },
      {
        name: 'column_name',
        label: 'Column with the message',
        kind: 'text',
        default: '',
        variables: false,
        help: 'Empty: the whole row as JSON.',
      },
      {
        name: 'output_column_name',
        label: 'Column of the reply',
        kind: 'text',
        default: 'model_response',
        variables: false,
        advanced: true,
      },
      {
        name: 'concurrency',
        label: 'Rows at the same time',
        kind: 'integer',
        default: 4,
        min: 1,
        max: 20,
        advanced: true,
      },
      {
        name: 'enable_metadata',
        label: 'Report failed rows instead of stopping',
        kind: 'switch',
        default: false,
        advanced: true,
        help: 'Adds the columns batch_index and error.',
      },
      maxTokensField,
    ],
    outputs: [{ name: 'batch_results', label: 'Rows', types: ['Table'] }],
  },
  async *run({ inputs, services, signal }) {
    const rows = toRows(inputs['df']);
    if (rows.length > MAX_ROWS)
      throw new ComponentError(
        `${rows.length} rows are more than ${MAX_ROWS}.`,
        'Filter the rows first, or split them.',
      );
    const { ref, settings } = modelIn(inputs['model']);
    const reports = inputs['enable_metadata'] === true;
    const column = toText(inputs['column_name'] ?? '');
    const width = Number(inputs['concurrency']);
    const results: Readonly<Record<string, unknown>>[] = [];
    for (let start = 0; start < rows.length; start += width) {
      yield { kind: 'progress', done: start, total: rows.length };
      const batch = rows.slice(start, start + width).map(async (row, at) => {
        const asked = {
          model: ref,
          system: toText(inputs['system_message'] ?? ''),
          messages: [
            { role: 'user' as const, text: column === '' ? JSON.stringify(row) : toText(valueAt(row, column) ?? '') },
          ],
          temperature: settings.temperature,
          maxOutputTokens: settings.max_tokens ?? positive(inputs['max_tokens']),
          signal,
        };
        const index = { batch_index: start + at };
        const name = String(inputs['output_column_name']);
        try {
          const { text, progress } = await ask(askModel(services, asked, { streams: false }));
          return { row: { ...row, [name]: text, ...index, ...(reports && { error: '' }) }, progress };
        } catch (error) {
          if (!reports || signal.aborted) throw error;
          const reason = error instanceof Error ? error.message : String(error);
          return { row: { ...row, [name]: '', ...index, error: reason }, progress: [] };
        }
      });
      for (const { row, progress } of await Promise.all(batch)) {
        results.push(row);
        yield* progress;
      }
    }
    return { batch_results: results };
  },
};

type Asking = ReturnType<typeof askModel>;

/** Waits for one reply; keeps its progress for the caller to report. */
async function ask(asking: Asking) {
  const progress: Progress[] = [];
  for (;;) {
    const { done, value } = await asking.next();
    if (done === true) return { text: value.text, progress };
    progress.push(value);
  }
}
