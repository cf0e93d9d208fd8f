import type { Registry } from '@croft/flow';
import { BEGIN } from './approval.ts';
import type { Link, Step } from './chain.ts';
import { type KnownRows, withColumns } from './column-names.ts';
import { conditionFor, isWholeCondition } from './condition.ts';
import type { RequestClause, RequestParts } from './request-parts.ts';
import { READER, sourceFor } from './source.ts';
import { textStepFor } from './text-step.ts';

const COUNTS = new RegExp(
  `${BEGIN}(?:(?:(?:tells?|gives?|shows?|finds?\\s+out)\\s+(?:me\\s+)?)?(?:how\\s+many|(?:the\\s+)?number\\s+of)|count(?:s|ing)?(?:\\s+(?:how\\s+many|the\\s+number\\s+of))?)\\s+`,
  'i',
);
const SHOWS = new RegExp(`${BEGIN}(?:shows?|lists?|prints?|displays?|keeps?|extracts?|finds?|gets?)\\s+`, 'i');
/** A word to look for, as a value of the request or in capitals, or after `search for`. */
const FINDS = new RegExp(
  `${BEGIN}(?:(?:finds?|looks?\\s+for)\\s+(?:all\\s+)?(?=(?:the\\s+(?:word|text|string|phrase|term)\\s+)?(?:\uE000|[A-Z]{2,}\\b))|search(?:es)?\\s+for\\s+)`,
);
/** Levels that programs write into the lines of a log, of RFC 5424 and Log4j, and the part that all forms of one share. */
const LEVEL =
  /^((?:(?:me|all|the|every|only)\s+)*)(?:(emergenc)(?:y|ies)|(alert|critical|fatal|error|warn|notice|info|debug|trace)(?:ings?|s)?)(?=\s|$)(?:\s+(?:lines?|messages?|entries)\b)?/i;
const THERE = /\s+(?:there\s+)?(?:are|is|occurs?|appears?)(?:\s+there)?(?=[\s?.!]|$)/i;
const OF_FILE = /\s+(?:of|in|from)\s+(?:the\s+(?:file|table)\s+)?\uE000\d+\uE001/;
const THEM = /^(?:them|these|those)[?.!]*$/i;
const ALL_ROWS = /^(?:(?:all|the|its)\s+)*(?:rows|records)(?:\s+(?:in|of)\s+it)?[?.!]*$/i;
const ALL_PARTS = /^(?:(?:all|the|its)\s+)*(lines|characters|paragraphs)[?.!]*$/i;

/** A component of the registry with its values. */
interface Named {
  readonly type: string;
  readonly config: Link['config'];
}

const COUNT_TEXT: Named = { type: 'TextStatistics', config: {} };
const COUNT_ROWS: Named = {
  type: 'AggregateRows',
  config: { aggregations: [{ column_name: '', operation: 'count', name: 'rows' }] },
};

/**
 * The steps for a clause that counts the lines of a text file or the rows of a table, such as `how many lines of notes.md contain
 * TODO`, or that finds lines by a word or their level in a log: `count the errors`, `show the warnings`. Undefined where a word
 * of the clause is left that may change what it asks for.
 *
 * @param known stems that the other components of the flow carry out
 */
export function countSteps(
  clause: RequestClause,
  parts: RequestParts,
  known: ReadonlySet<string>,
  { rows, registry }: { readonly rows: KnownRows; readonly registry: Registry },
): readonly Step[] | undefined {
  const reader = sourceFor(parts, registry)?.descriptor.type;
  if (reader === undefined || parts.paths.length > 1) return undefined;
  const isText = reader === READER;
  const counts = COUNTS.exec(clause.masked)?.[0];
  if (counts === undefined)
    return isText ? stepsOf(foundLines(clause.masked, parts, known), clause, registry) : undefined;
  const asked = clause.masked.slice(counts.length);
  const what = asked.replace(THERE, '');
  const bare = what.replace(OF_FILE, '');
  const part = isText ? ALL_PARTS.exec(bare)?.[1]?.toLowerCase() : undefined;
  const isAll = part !== undefined || (rows.before.length > 0 && THEM.test(what));
  const kept = () =>
    isText
      ? linesIn(levelIn(what) ?? { lines: what }, parts, known)
      : (rowsIn(parts.unmask(bare), rows, registry) ??
        // `is` may be a part of the condition.
        rowsIn(parts.unmask(asked.replace(OF_FILE, '')), rows, registry));
  const links = isAll ? [] : kept();
  const gap = isText ? `{${part ?? 'lines'}}` : '{rows}';
  // A quoted text such as `N errors` asks for another value, or is filled after all steps.
  if (links === undefined || parts.pattern?.includes(gap) === false) return undefined;
  const shown = parts.pattern === undefined ? [{ type: 'ParserComponent', config: { pattern: gap } }] : [];
  return stepsOf([...links, isText ? COUNT_TEXT : COUNT_ROWS, ...shown], clause, registry);
}

/** Lines in the words that the rule for texts reads. */
interface Lines {
  readonly lines: string;
  readonly ignore_case?: true;
}

/** The component for a clause that looks for a word or for lines of a level. */
function foundLines(masked: string, parts: RequestParts, known: ReadonlySet<string>): readonly Named[] | undefined {
  const word = FINDS.exec(masked)?.[0];
  const shows = SHOWS.exec(masked)?.[0];
  const level = shows === undefined ? undefined : levelIn(masked.slice(shows.length));
  if (word === undefined) return level && linesIn(level, parts, known);
  const rest = masked.slice(word.length);
  // A word in small letters and without quotes matches in any case.
  const isPlain = /^(?!the\s)\p{Ll}/u.test(rest);
  return linesIn({ lines: `lines that contain ${rest}`, ...(isPlain && { ignore_case: true }) }, parts, known);
}

function levelIn(what: string): Lines | undefined {
  const [whole, before = '', ...found] = LEVEL.exec(what) ?? [];
  const level = found.find((each) => each !== undefined)?.toLowerCase();
  return whole === undefined || level === undefined
    ? undefined
    : { lines: `${before}lines that contain ${level}${what.slice(whole.length)}`, ignore_case: true };
}

function linesIn(
  { lines, ...more }: Lines,
  parts: RequestParts,
  known: ReadonlySet<string>,
): readonly Named[] | undefined {
  const config = textStepFor({ masked: lines }, parts, known);
  const isLines = /^(?:Keep|Drop) lines$/.test(`${config?.['operation'] as string}`);
  return isLines ? [{ type: 'TextOperations', config: { ...config, ...more } }] : undefined;
}

/** The component that keeps the rows that a clause names; none for all rows. */
function rowsIn(what: string, rows: KnownRows, registry: Registry): readonly Named[] | undefined {
  if (ALL_ROWS.test(what)) return [];
  const type = 'FilterRows';
  const descriptor = registry.get(type)?.descriptor;
  const kept = `keep ${what}`;
  const read = descriptor === undefined ? {} : conditionFor(descriptor, kept);
  const config = withColumns(read, kept, rows);
  return config && Object.keys(read).length > 0 && isWholeCondition(kept, read) ? [{ type, config }] : undefined;
}

function stepsOf(
  links: readonly Named[] | undefined,
  { text }: RequestClause,
  registry: Registry,
): readonly Step[] | undefined {
  const steps = links?.flatMap(({ type, config }) => {
    const descriptor = registry.get(type)?.descriptor;
    return descriptor === undefined ? [] : [{ descriptor, config, read: text }];
  });
  return steps?.length === links?.length ? steps : undefined;
}
