import type { Clause } from './clause.ts';
import { fillArguments, type Filled, parametersOf } from './fill-arguments.ts';
import { meaningOf, wordsOf } from './words.ts';

/** A tool as a provider sees it. */
export interface OfferedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
}

/** The tool that fits a clause best, and the arguments the clause gives it. */
export interface Choice {
  readonly tool: OfferedTool;
  readonly filled: Filled;
}

const NAME_WEIGHT = 3;
const MISSING_WEIGHT = 2;
const MIN_FIT = 3;

/**
 * Chooses by shared acts and things of the clause and the tool, and by values that only this tool has a parameter for.
 * A tool's own name in the clause decides alone. Undefined where nothing fits: the same verb is not enough.
 */
export function chooseTool(
  tools: readonly OfferedTool[],
  clause: Clause,
  last: string | undefined,
): Choice | undefined {
  const named = tools.find(({ name }) => new RegExp(`(?<![\\w-])${escaped(name)}(?![\\w-])`, 'i').test(clause.text));
  if (named !== undefined && (/_/.test(named.name) || /\b(use|call|run)\b/i.test(clause.text)))
    return { tool: named, filled: explicitArguments(named, clause, last) };
  let best: (Choice & { score: number }) | undefined;
  for (const tool of tools) {
    const filled = fillArguments(tool.name, parametersOf(tool.inputSchema), clause, last);
    const fit = fitOf(tool, clause, filled);
    const score = fit - filled.missing.length * MISSING_WEIGHT;
    if (fit >= MIN_FIT && (best === undefined || score > best.score)) best = { tool, filled, score };
  }
  return best;
}

function explicitArguments(tool: OfferedTool, clause: Clause, last: string | undefined): Filled {
  const parameters = parametersOf(tool.inputSchema);
  const json = jsonIn(clause.text);
  if (json === undefined) return fillArguments(tool.name, parameters, clause, last);
  const missing = parameters.filter(({ name, isRequired }) => isRequired && !Object.hasOwn(json, name));
  return { values: json, missing: missing.map(({ name }) => name), evidence: 0 };
}

function jsonIn(text: string): Record<string, unknown> | undefined {
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (from === -1 || to < from) return undefined;
  try {
    return JSON.parse(text.slice(from, to + 1)) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function fitOf(tool: OfferedTool, clause: Clause, filled: Filled): number {
  const asked = meaningOf(clause.words);
  const name = meaningOf(tool.name);
  const about = meaningOf(tool.description ?? '');
  const shared = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].filter((each) => b.has(each)).length;
  const acts =
    shared(asked.acts, actsOfName(tool.name)) > 0 ? NAME_WEIGHT : Math.min(1, shared(asked.acts, about.acts));
  const things = shared(asked.things, nouns(name)) * NAME_WEIGHT + Math.min(2, shared(asked.things, nouns(about)));
  const evidence = filled.evidence;
  const isBare = nouns(asked).size === 0 && parametersOf(tool.inputSchema).every(({ isRequired }) => !isRequired);
  const namesThing = shared(asked.things, nouns(name)) > 0 || (acts > 0 && shared(asked.things, nouns(about)) > 0);
  if (!namesThing && evidence === 0 && !(isBare && acts === NAME_WEIGHT)) return 0;
  if (acts === 0 && things < NAME_WEIGHT && evidence < 3) return 0;
  return acts + things + evidence;
}

/** The acts of a tool: those of the first word of its name that has some. In `undo_change` the change is not an act. */
function actsOfName(name: string): ReadonlySet<string> {
  const verb = wordsOf(name).find((word) => meaningOf(word).acts.size > 0);
  return meaningOf(verb ?? '').acts;
}

/** The things that are not also acts: a tool called `find_x` is about x. */
const nouns = ({ things }: { readonly things: ReadonlySet<string> }): ReadonlySet<string> =>
  new Set([...things].filter((each) => meaningOf(each).acts.size === 0 || each === 'file' || each === 'email'));

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
