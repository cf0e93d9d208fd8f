import { type Field, type FlowDocument, type FlowNode, type Json, type Registry, nodeTitle } from '@croft/flow';
import { asksForNewFlow } from '../intent.ts';
import { columnsIn } from './column-names.ts';
import { findingFiles } from './finding-files.ts';
import { stepFor } from './from-components.ts';
import { readRequest } from './request-parts.ts';

const POLITE = '^(?:(?:please|can you|could you|now|also|and)\\s+)*';
const FLOW = '(?:it|this|(?:this|the|my)\\s+(?:\\w+\\s+)?flow)';
/** Questions about what the flow on the canvas does. */
const EXPLAIN = new RegExp(
  `${POLITE}(?:tell me\\s+)?(?:what|how)\\s+(?:(?:does|is)\\s+)?${FLOW}(?:\\s+(?:does|do|works?|is))?(?:\\s+(?:for|about|exactly))?\\s*\\??$`,
  'i',
);
const CHECK = new RegExp(
  `${POLITE}(?:(?:check|validate)\\s+${FLOW}|is\\s+${FLOW}\\s+(?:correct|valid|ok|okay|complete|right))(?:\\s+for\\s+(?:errors|problems|mistakes))?[.?!]*$`,
  'i',
);
const FAILED = new RegExp(
  `${POLITE}(?:tell me\\s+)?(?:why\\s+(?:did|does|has)\\s+(?:it|(?:the|my|this)\\s+(?:(?:last|latest|previous)\\s+)?(?:run|flow))\\s+(?:fail|failed|stop|stopped|not\\s+work)|what went wrong)(?:\\s+(?:in|with)\\s+(?:it|the\\s+(?:last\\s+)?run))?[.?!]*$`,
  'i',
);
const IN_FOLDER = '(?:\\s+in\\s+(?:my|the|this)\\s+(?:folder|workspace|directory))?';
const FILES = new RegExp(
  `${POLITE}(?:(?:what|which|how\\s+many)\\s+(?:\\.?\\w+\\s+)?files\\s+(?:do\\s+i\\s+have|are\\s+(?:there|mine|in\\s+(?:my|the)\\s+(?:folder|workspace|directory)))|(?:list|count|find|show\\s+me|show)\\s+(?:all\\s+)?(?:(?:my|the|of\\s+my)\\s+)?(?:\\.?\\w+\\s+)?files)${IN_FOLDER}[.?!]*$`,
  'i',
);
const RENAMES = new RegExp(
  `${POLITE}(?:rename|name|call)\\s+(?:the|this|my)\\s+flow\\s+(?:to\\s+|as\\s+|into\\s+)?(.+?)[.!]*$|${POLITE}(?:change|set)\\s+the\\s+name\\s+of\\s+(?:the|this|my)\\s+flow\\s+to\\s+(.+?)[.!]*$`,
  'i',
);
const INSTEAD_ONLY = /\s+instead[.!]*$/i;
const RUNS = /\b(?:runs?|start|execute|schedule|repeat)\b/i;
/** A request to keep what the flow shows in a file. */
const SAVES = new RegExp(
  `${POLITE}(?:save|write|store|export|put)\\s+(?:it|them|that|this|(?:the|its|all)\\s+(?:results?|outputs?|answers?|rows|lines|texts?))\\s+(?:also\\s+)?(?:to|in|into|as)\\s`,
  'i',
);
const SETS = new RegExp(`${POLITE}(?:set|change)\\s+(?:the\\s+)?(.+?\\s+to\\s+.+?)[.!]*$`, 'i');
const SWAPS = new RegExp(`${POLITE}(?:change|replace|swap)\\s+(\\S+)\\s+(?:to|with|by|for)\\s+(\\S+?)[.!]*$`, 'i');
const INSTEAD = new RegExp(`${POLITE}(?:use|take|read)\\s+(\\S+)\\s+instead\\s+of\\s+(\\S+?)[.!]*$`, 'i');
const SETTABLE: ReadonlySet<Field['kind']> = new Set(['text', 'file', 'select', 'integer', 'number']);

/** The call for a message that asks only which files there are, of all kinds or of one that is known. */
export function callForFiles(message: string): string | undefined {
  const files = FILES.test(message) ? findingFiles(message) : undefined;
  return files && call('glob_search', { pattern: '**/*', ...files });
}

/**
 * The call that croft/offline makes for a message about the flow on the canvas whose words no tool has: what it does, when
 * it runs, where its result goes, and which of its steps and values change. Undefined for other messages.
 */
export function callAboutFlow(
  message: string,
  { runs, flow, registry }: { readonly runs: boolean; readonly flow: FlowDocument; readonly registry: Registry },
): string | undefined {
  const { schedule, targets, paths, urls } = readRequest(message);
  // A run now would not be what the message asks for.
  if (schedule !== undefined && RUNS.test(message) && !asksForNewFlow(message))
    return call('explain_schedule', { schedule });
  if (FAILED.test(message)) return call('explain_last_run', {});
  if (EXPLAIN.test(message)) return call('explain_flow', {});
  if (flow.nodes.length === 0) return undefined;
  if (CHECK.test(message)) return call('validate_flow', {});
  if (SAVES.test(message) && targets.length === 1 && paths.length + urls.length === 0)
    return call('add_step', { request: message });
  // A run that follows is a step of its own.
  if (runs) return undefined;
  const name = newName(message);
  if (name !== undefined) return call('rename_flow', { name });
  return change(message, flow, registry) ?? otherValues(message, flow, registry);
}

/** Whether a message asks for another name of the flow. */
export const asksForName = (message: string): boolean => /\b(?:name|rename|call)\b.*\bflow\b/i.test(message);

function newName(message: string): string | undefined {
  const found = RENAMES.exec(message);
  const name = unquoted(found?.[1] ?? found?.[2] ?? '').trim();
  return name === '' ? undefined : name;
}

/** Other values for the only step of its kind, such as `sort by name instead`. */
function otherValues(message: string, flow: FlowDocument, registry: Registry): string | undefined {
  if (!INSTEAD_ONLY.test(message)) return undefined;
  const parts = readRequest(message.replace(INSTEAD_ONLY, ''));
  if (parts.paths.length + parts.targets.length + parts.urls.length > 0) return undefined;
  const step = stepFor(parts, registry, columnsIn(flow));
  if (step === undefined || Object.keys(step.config).length === 0) return undefined;
  const [only, ...others] = flow.nodes.filter(({ type }) => type === step.descriptor.type);
  if (only === undefined || others.length > 0) return undefined;
  return call('configure_component', { component_id: only.id, params: step.config });
}

const call = (tool: string, args: Readonly<Record<string, Json>>): string => `${tool} ${JSON.stringify(args)}`;

/** The change of the only value that the message can mean: by the value that it has, or by the label of its field. */
function change(message: string, { nodes }: FlowDocument, registry: Registry): string | undefined {
  const all = nodes.flatMap((node) =>
    (registry.get(node.type)?.descriptor.fields ?? []).map((field) => ({ node, field })),
  );
  const fields = all.filter(({ field }) => SETTABLE.has(field.kind));
  const swapped = SWAPS.exec(message);
  const instead = INSTEAD.exec(message);
  const [old, replacement = ''] = swapped ? [swapped[1], swapped[2]] : [instead?.[2], instead?.[1]];
  const holding = fields.filter(({ node, field }) => old !== undefined && node.values[field.name] === unquoted(old));
  if (holding.length > 0) return valueOf(holding, replacement);
  // The label may have the word "to", as "Rows to keep" does.
  const parts = SETS.exec(message)?.[1]?.split(/\s+to\s+/i) ?? [];
  for (let at = parts.length - 1; at > 0; at--) {
    const label = parts.slice(0, at).join(' to ');
    const named = fields.filter(({ field }) => [field.label, field.name].some((each) => isSame(each, label)));
    // A long text only where its component is named: `set pattern of Parser to "…"`.
    if (named.length === 0)
      named.push(
        ...all.filter(
          ({ node, field: { kind, label: title, name } }) =>
            (SETTABLE.has(kind) || kind === 'multiline') &&
            [node.id, nodeTitle(node, registry)].some((owner) =>
              [title, name].some((each) => isSame(`${each} of ${owner}`, label.replace(/ of the /i, ' of '))),
            ),
        ),
      );
    if (named.length > 0) return valueOf(named, parts.slice(at).join(' to '));
  }
  return undefined;
}

function valueOf(
  [found, ...others]: readonly { readonly node: FlowNode; readonly field: Field }[],
  given: string,
): string | undefined {
  if (found === undefined || others.length > 0) return undefined;
  const { node, field } = found;
  const text = unquoted(given);
  const isNumber = field.kind === 'integer' || field.kind === 'number';
  const value = isNumber && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
  return call('configure_component', { component_id: node.id, params: { [field.name]: value } });
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === unquoted(other).toLowerCase();
const unquoted = (text: string): string => text.replace(/^["'`“](.*)["'`”]$/, '$1');
