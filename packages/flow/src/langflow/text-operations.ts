import type { Json } from '../document.ts';
import type { Finding } from '../validate.ts';
import type { ExportedField, ExportedNode } from './read-export.ts';
import type { Counterpart } from './vector-stores.ts';

export const TEXT_OPERATIONS = 'TextOperations';

const CASES = new Map([
  ['uppercase', 'Upper case'],
  ['lowercase', 'Lower case'],
  ['title', 'Title case'],
]);
/** Operations of Langflow that are components of their own here. */
const OTHERS = new Map<string, Counterpart>([
  ['Word Count', { type: 'TextStatistics' }],
  [
    'Text Extract',
    {
      type: 'RegexExtractor',
      fields: { text_input: 'input_text', extract_pattern: 'pattern' },
      outputs: { message: 'text' },
    },
  ],
  [
    'Text Join',
    {
      type: 'CombineText',
      fields: { text_input: 'text1', text_input_2: 'text2' },
      outputs: { message: 'combined_text', text: 'combined_text' },
    },
  ],
]);

/** A node in Croft's values, and its names there. */
export interface TextOperation {
  readonly node: ExportedNode;
  readonly counterpart: Counterpart;
}

/**
 * Langflow has ten operations on texts in one component; here some are components of their own. An operation that Croft does not
 * have keeps its name in the type, which the import reports.
 */
export function asTextOperation(node: ExportedNode, findings: Finding[]): TextOperation {
  const chosen = operationOf(node);
  const text = (name: string): string => {
    const value = node.fields[name]?.value;
    return typeof value === 'string' ? value : '';
  };
  const warn = (message: string, fix: string) =>
    findings.push({ severity: 'warning', code: 'wrong_value', node: node.id, message: `${node.id}: ${message}`, fix });
  const withValues = (values: Readonly<Record<string, Json>>, counterpart: Counterpart = {}): TextOperation => ({
    node: { ...node, fields: { ...node.fields, ...fieldsOf(values) } },
    counterpart,
  });
  const other = OTHERS.get(chosen);
  if (chosen === 'Word Count')
    warn('the counts have other names here.', 'Use the names words, characters, lines and paragraphs behind it.');
  if (chosen === 'Text Extract')
    warn('it gives all matches, also where the export limits them.', 'Check what uses them.');
  if (other !== undefined) return withValues(chosen === 'Text Join' ? { delimiter: '\n' } : {}, other);
  if (chosen === 'Text Strip' && text('strip_characters') !== '')
    warn('it trims spaces, and not the characters of the export.', 'Use Replace with a regular expression.');
  const operation = chosen === 'Case Conversion' ? CASES.get(text('case_type') || 'lowercase') : OPERATIONS.get(chosen);
  if (operation === undefined && chosen !== '')
    return {
      node: { ...node, type: `${TEXT_OPERATIONS} (${chosen.slice(0, 100)})`, displayName: chosen },
      counterpart: {},
    };
  const count = node.fields[chosen === 'Text Head' ? 'head_characters' : 'tail_characters']?.value ?? 100;
  return withValues({
    operation: operation ?? null,
    ...(COUNTED.has(chosen) && { count }),
    ...(node.fields['use_regex']?.value === true && { replacement_text: withDollars(text('replacement_text')) }),
  });
}

const OPERATIONS = new Map([
  ['Text Replace', 'Replace'],
  ['Text Strip', 'Trim'],
  ['Text Head', 'First characters'],
  ['Text Tail', 'Last characters'],
]);
const COUNTED = new Set(['Text Head', 'Text Tail']);

/** Langflow keeps the operation as a list with one record. */
function operationOf({ fields }: ExportedNode): string {
  const value = fields['operation']?.value;
  const [first] = Array.isArray(value) ? value : [value];
  if (typeof first === 'string') return first;
  const { name } = (typeof first === 'object' && !Array.isArray(first) ? first : null) ?? {};
  return typeof name === 'string' ? name : '';
}

/** A replacement of Python, such as `\1`, in the form of the component. */
const withDollars = (replacement: string): string =>
  replacement.replaceAll('$', '$$$$').replace(/\\g<(\w+)>|\\(\d)/g, (_, name?: string, number?: string) => {
    const group = name ?? number ?? '';
    return /^\d+$/.test(group) ? `$${group}` : `$<${group}>`;
  });

const fieldsOf = (values: Readonly<Record<string, Json>>): Readonly<Record<string, ExportedField>> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, { value, isSecret: false, isVariable: false }]),
  );
