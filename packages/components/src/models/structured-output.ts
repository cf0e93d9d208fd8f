import type { CroftComponent } from '../services.ts';
import { toText } from '../values.ts';
import { modelIn, positive } from './ask-model.ts';
import { extractRows } from './extract-rows.ts';
import { maxTokensField, modelField, outputSchemaField } from './model-fields.ts';

/** The instructions of an extraction, unless the flow has its own. */
export const EXTRACTION_PROMPT =
  'Extract every record of the given schema from the text of the user. Use null where the text has no value. Do not invent values. Leave out exact duplicates. Answer with JSON alone.';

/** Records in a text, read by a language model. */
export const structuredOutput: CroftComponent = {
  descriptor: {
    type: 'StructuredOutput',
    label: 'Structured output',
    description: 'Reads records with given fields from a text, with a language model.',
    category: 'models',
    icon: 'table-properties',
    keywords: ['extract', 'json', 'schema'],
    effects: ['model'],
    fields: [
      modelField,
      {
        name: 'input_value',
        label: 'Text',
        kind: 'multiline',
        accepts: ['Message'],
        required: true,
        toolParameter: true,
      },
      {
        name: 'system_prompt',
        label: 'Instructions',
        kind: 'multiline',
        accepts: ['Message'],
        default: EXTRACTION_PROMPT,
        variables: false,
        advanced: true,
      },
      {
        ...outputSchemaField,
        required: true,
        default: [{ name: 'field', description: '', type: 'str', multiple: false }],
      },
      maxTokensField,
    ],
    outputs: [
      { name: 'structured_output', label: 'Record', types: ['Data'], help: 'Several records become {results}.' },
      { name: 'dataframe_output', label: 'Table', types: ['Table'] },
    ],
  },
  async *run({ inputs, services, signal }) {
    const { ref, settings } = modelIn(inputs['model']);
    const rows = yield* extractRows(services, {
      model: ref,
      system: toText(inputs['system_prompt']),
      text: toText(inputs['input_value']),
      columns: inputs['output_schema'],
      maxOutputTokens: settings.max_tokens ?? positive(inputs['max_tokens']),
      signal,
    });
    const [only] = rows;
    return {
      structured_output: rows.length === 1 && only !== undefined ? only : { results: rows },
      dataframe_output: rows,
    };
  },
};
