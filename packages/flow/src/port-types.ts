/** The types of values on edges. */
export const PORT_TYPES = ['Message', 'Data', 'Table', 'LanguageModel', 'Embeddings', 'Tool', 'File', 'Any'] as const;

export type PortType = (typeof PORT_TYPES)[number];

/** Names of other builders for the same types. */
const ALIASES: Readonly<Record<string, PortType>> = {
  DataFrame: 'Table',
  Docs: 'Table',
  JSON: 'Data',
  Flag: 'Message',
  Text: 'Message',
  Msg: 'Message',
  str: 'Message',
};

/** The type that a name of this or another builder stands for; absent where no type has that name. */
export function portTypeOf(name: string): PortType | undefined {
  if (Object.hasOwn(ALIASES, name)) return ALIASES[name];
  return (PORT_TYPES as readonly string[]).includes(name) ? (name as PortType) : undefined;
}

/** Input types that an output of each type may feed without a converter. */
const FITS: Readonly<Record<PortType, readonly PortType[]>> = {
  Message: ['Message', 'Any'],
  Data: ['Data', 'Any'],
  Table: ['Table', 'Any'],
  LanguageModel: ['LanguageModel', 'Any'],
  Embeddings: ['Embeddings', 'Any'],
  Tool: ['Tool'],
  File: ['File', 'Any'],
  Any: ['Message', 'Data', 'Table', 'File', 'Any'],
};

/** The component between two types that do not fit, and its ports. */
export interface Converter {
  readonly component: string;
  readonly input: string;
  readonly output: string;
}

const convert = (output: string): Converter => ({ component: 'TypeConverterComponent', input: 'input_data', output });

/** The converter from an output's type to an input's type. */
const CONVERTERS: Partial<Record<PortType, Partial<Record<PortType, Converter>>>> = {
  Message: { Data: convert('data_output'), Table: convert('dataframe_output') },
  Data: {
    Message: { component: 'ParserComponent', input: 'input_data', output: 'parsed_text' },
    Table: convert('dataframe_output'),
  },
  Table: {
    Message: { component: 'ParserComponent', input: 'input_data', output: 'parsed_text' },
    Data: convert('data_output'),
  },
  File: {
    Message: { component: 'DocumentText', input: 'file', output: 'text' },
    Table: { component: 'DocumentText', input: 'file', output: 'documents' },
  },
};

/** Whether an output with these types may feed an input that accepts those. */
export function typesFit(produces: readonly PortType[], accepts: readonly PortType[]): boolean {
  return produces.some((type) => FITS[type].some((fits) => accepts.includes(fits)));
}

/** The component that converts one type into the other; `undefined` if none does. */
export function converterFor(produces: readonly PortType[], accepts: readonly PortType[]): Converter | undefined {
  for (const from of produces) {
    for (const to of accepts) {
      const found = CONVERTERS[from]?.[to];
      if (found) return found;
    }
  }
  return undefined;
}
