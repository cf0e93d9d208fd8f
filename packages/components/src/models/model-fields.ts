import type { Field } from '@croft/flow';

/** The field that chooses a model. */
export const modelField: Field = {
  name: 'model',
  label: 'Language model',
  kind: 'model',
  accepts: ['LanguageModel'],
  help: 'Empty: the preferred model of the user, or croft/offline where no provider has a key.',
};

export const maxTokensField: Field = {
  name: 'max_tokens',
  label: 'Token limit of a reply',
  kind: 'integer',
  min: 1,
  max: 1_000_000,
  advanced: true,
  help: 'Empty: no limit but the model’s own.',
};

/** How much of its session a model sees, and of which one. */
export const historyFields = (most: number): readonly Field[] => [
  {
    name: 'n_messages',
    label: 'Earlier messages at most',
    kind: 'integer',
    min: 0,
    max: 1_000,
    default: most,
    advanced: true,
    help: 'Of the session. A run without a session has none.',
  },
  { name: 'session_id', label: 'Session', kind: 'text', default: '', variables: false, advanced: true },
];

/** The names and types of a structured result. */
export const outputSchemaField: Field = {
  name: 'output_schema',
  label: 'Fields of the result',
  kind: 'table',
  columns: [
    { name: 'name', label: 'Name', kind: 'text' },
    { name: 'description', label: 'Description', kind: 'text' },
    { name: 'type', label: 'Type', kind: 'select', options: ['str', 'int', 'float', 'bool', 'dict'] },
    { name: 'multiple', label: 'List', kind: 'switch' },
  ],
};
