/** The parts of a JSON Schema that the rules read. */
interface Schema {
  readonly type?: unknown;
  readonly properties?: unknown;
  readonly items?: unknown;
}

/**
 * An object of a schema from a text that names its values, such as `name: Ada` or `age is 36`. Values that the text does
 * not name are null; a list of objects has one entry, or is empty if the text names nothing.
 */
export function objectFor(schema: unknown, text: string): unknown {
  return valueFor(schema as Schema | undefined, '', text) ?? {};
}

function valueFor(schema: Schema | undefined, name: string, text: string): unknown {
  const types = [schema?.type].flat();
  if (types.includes('object') && typeof schema?.properties === 'object') {
    const entries = Object.entries(schema.properties as Record<string, Schema>);
    return Object.fromEntries(entries.map(([key, each]) => [key, valueFor(each, key, text)]));
  }
  if (types.includes('array')) {
    const item = valueFor(schema?.items as Schema | undefined, name, text);
    return isEmpty(item) ? [] : [item];
  }
  const found = namedIn(name, text);
  if (found === undefined) return null;
  if (types.includes('string')) return found;
  if (types.includes('boolean')) return /^(true|yes|on)$/i.test(found);
  if (!types.includes('number') && !types.includes('integer')) return null;
  return numberIn(found);
}

/** One number with a unit or currency around it. Commas are read between thousands only: `1,5` may be any number. */
const NUMBER = /^[^\d.-]*(-?)[^\d.-]*(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.?\d+)[^\d.,]*\.?$/;

function numberIn(text: string): number | null {
  const [, sign = '', digits] = NUMBER.exec(text) ?? [];
  return digits === undefined ? null : Number(`${sign}${digits.replaceAll(',', '')}`);
}

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.values(value).every(isEmpty));

/** The value after a name: to the end of the line, a full stop or a comma that is not in a number. */
function namedIn(name: string, text: string): string | undefined {
  const spelled = name.replace(/[^\w]/g, '.').replace(/_/g, '[_ ]');
  const found = new RegExp(
    `\\b${spelled}\\b\\s*(?::|=|is|was)\\s*"?([^\\n;"]+?)"?(?=(?!(?<=\\d),\\d)[,;\\n]|\\.(?:\\s|$)|$)`,
    'i',
  ).exec(text);
  return found?.[1]?.trim();
}
