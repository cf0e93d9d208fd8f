import { linesThat } from '../../processing/lines-that.ts';
import type { Search, SearchOutcome, TextSearch } from './messages.ts';
import { parseData } from './parse-data.ts';

/** Applies an expression, or parses a text. Can take years: call it in the sandbox's thread only. */
export async function search(wanted: Search): Promise<SearchOutcome> {
  try {
    return { ok: true, found: JSON.stringify((await foundBy(wanted)) ?? null) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

function foundBy(wanted: Search): Promise<unknown> {
  if (wanted.language === 'RE2') return matchesOf(wanted);
  return wanted.language === 'JMESPath' ? selectedBy(wanted) : parseData(wanted);
}

/** The matches in their order, each with its groups; or the text that the matches change. */
async function matchesOf({ expression, ignoresCase, text, wants }: TextSearch) {
  const { RE2JS } = await import('re2js');
  const compiled = RE2JS.compile(expression, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
  if ('lines' in wants)
    return linesThat(text, (line) => compiled.matcher(line).find() === (wants.lines === 'with a match'));
  const matcher = compiled.matcher(text);
  if ('replacement' in wants) return matcher.replaceAll(wants.replacement);
  const names = Object.keys(compiled.namedGroups());
  const found: Record<string, unknown>[] = [];
  while (found.length < wants.matches && matcher.find()) {
    const row: Record<string, unknown> = { match: matcher.group() };
    for (let group = 1; group <= matcher.groupCount(); group++) row[`group_${group}`] = matcher.group(group);
    for (const name of names) row[name] = matcher.group(name);
    found.push(row);
  }
  return found;
}

async function selectedBy({ expression, value }: Extract<Search, { language: 'JMESPath' }>): Promise<unknown> {
  const { search: select } = await import('@jmespath-community/jmespath');
  return select(withoutPrototypes(JSON.parse(value)) as Parameters<typeof select>[0], expression);
}

/** A copy whose records inherit nothing: the library looks names up with their prototypes, such as `constructor`. */
function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [name, each] of Object.entries(value)) copy[name] = withoutPrototypes(each);
  return copy;
}
