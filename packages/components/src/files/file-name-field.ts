import type { Field } from '@croft/flow';

/** The field for the path of a file that a component writes in the format of its field `format`. */
export const fileNameField = (fallback: string): Field => ({
  name: 'file_name',
  label: 'File',
  kind: 'text',
  accepts: ['Message'],
  default: fallback,
  toolParameter: true,
  help: 'A path inside the workspace. The ending of the format is added where it has none.',
});
