import { tooLongForRules } from '@croft/models';
import { flowPage } from '../flow-page.ts';
import { rankTemplates } from '../draft/rank-templates.ts';
import { readRequest } from '../draft/request-parts.ts';
import type { Turn } from '../turn.ts';
import {
  type AssistantTool,
  failed,
  textOf,
  textParameters,
  type ToolContext,
  type ToolData,
} from './assistant-tool.ts';

/** Requests that croft/offline carries out on an empty canvas. */
export const EXAMPLES = [
  'build a flow that lists all files in my folder, then run it',
  'build a flow that finds all email addresses in a message',
] as const;

/** Requests that croft/offline carries out about a flow. */
export const FLOW_EXAMPLES = [
  'explain this flow',
  'run it',
  'add a step that writes the result to out.txt',
  'document this flow in FLOW.md',
  'undo that',
] as const;

/** How to go on where rules are not enough. */
export const WITHOUT_RULES =
  'For free requests, set up a model provider: under Settings on a server, or with a key such as OPENAI_API_KEY for `croft chat`.';

/** The reply to a message that only says what not to do. */
export const ONLY_FORBIDDEN =
  'I changed nothing: your message says what not to do. Write what to do, for example: build a flow that reads notes.md and counts its words.';

/** The reply where a step needs a flow and there is none. */
export const EMPTY_CANVAS = `The flow is empty, so it cannot be described. Write first, for example: ${EXAMPLES[0]}.`;

/** The templates closest to a request, each with the sentence that builds it; empty where none has a word of it. */
export function templatesFor(request: string, { registry, templates }: Pick<Turn, 'registry' | 'templates'>): string {
  const found = rankTemplates(readRequest(request), templates, registry);
  if (found.length === 0) return '';
  const lines = found.map(({ name, description }) => `use template ${name} (${description.replace(/\.$/, '')})`);
  return `Templates with words of your request; write one of these to build it, and change it then:\n\n${listed(lines)}\n\n`;
}

/** The reply to a request that no template and no component fits, or that needs a flow that is not there. */
export const cannotDo = (request: string, turn: Pick<Turn, 'registry' | 'templates'>): string =>
  `I built nothing: I have no rule for “${request.slice(0, 200)}”. Write, for example:\n\n${listed(EXAMPLES)}\n\n${templatesFor(request, turn)}${WITHOUT_RULES}`;

/** The note about parts of a request that are not built; empty where all of it is. `closest`: templates to offer. */
export function notBuilt(missing: readonly string[], closest = ''): string {
  if (missing.length === 0) return '';
  const parts = missing.map((each) => `“${each}”`).join(', ');
  return `Not built: ${parts}. I have no rule for these words, so the flow does not yet do all that you asked for. Add this step yourself, or write a request with what I know: ${EXAMPLES[0]}. ${closest}${WITHOUT_RULES}`;
}

/** The note about when to run, which is set outside of the flow. */
export const scheduled = (schedule: string): string =>
  `Not set: “${schedule}”. A flow does not say when it runs: on a server, **Use it** above the canvas sets a schedule.`;

/** Where a person finds what starts a flow with these components. */
export function startedBy(types: readonly string[], schedule: string | undefined): string {
  if (types.includes('Webhook'))
    return 'Requests start this flow. On a server, **Use it** above the canvas adds a webhook: it shows the address and, once, the secret.';
  if (schedule !== undefined || !types.includes('ScheduleTrigger')) return '';
  return 'A schedule starts this flow. On a server, **Use it** above the canvas adds its times.';
}

/** A list in Markdown. */
export const listed = (texts: readonly string[]): string => texts.map((text) => `- ${text}`).join('\n');

const WHO = 'I am croft/offline: rules, not a language model. Write, for example:';

function helpText(unclear: string, rest: string, isEmpty: boolean, turn: Pick<Turn, 'registry' | 'templates'>): string {
  const later = rest === '' ? '' : `Not done: “${rest.slice(0, 200)}”.`;
  if (unclear === '' && rest !== '') return later;
  if (unclear === '')
    return `${WHO}\n\n${listed(isEmpty ? EXAMPLES : [...EXAMPLES, ...FLOW_EXAMPLES])}\n\n${WITHOUT_RULES}`;
  const tooLong = tooLongForRules(unclear);
  if (tooLong !== undefined) return tooLong;
  const examples = listed(isEmpty ? EXAMPLES : FLOW_EXAMPLES.slice(0, 3));
  const said = `I did not understand “${unclear.slice(0, 200)}”.${later === '' ? '' : ` ${later}`}`;
  return `${said} ${WHO}\n\n${examples}\n\n${templatesFor(unclear, turn)}${WITHOUT_RULES}`;
}

/** The result where a tool was chosen for a few words of a message and would not carry out the rest. */
export function notUnderstood(parts: readonly string[], { turn, notes }: ToolContext): ToolData {
  notes.leftOut.push(...parts);
  const text = helpText(parts.join(', '), '', true, turn);
  return { ...failed(text), ends_request: true };
}

/** Tools that explain croft/offline and the flow to a person. */
export const OFFLINE_HELP: readonly AssistantTool[] = [
  {
    name: 'show_help',
    description: 'Shows examples of requests.',
    parameters: textParameters({
      'not_understood?': 'The part of the request that no rule fits.',
      'not_reached?': 'The steps after it, or after a failure.',
    }),
    label: () => 'Looking for examples',
    async run(args, { turn, working, notes }) {
      const [unclear, rest] = [textOf(args, 'not_understood'), textOf(args, 'not_reached')];
      const left = [unclear, rest].filter((each) => each !== '');
      notes.leftOut.push(...left);
      const isEmpty = (await working.read()).nodes.length === 0;
      const summary = helpText(unclear, rest, isEmpty, turn);
      return { text: summary, summary, ...(left.length > 0 && { ends_request: true, declined: true }) };
    },
  },
  {
    name: 'explain_schedule',
    description: 'Says where a flow gets its schedule.',
    parameters: textParameters({ schedule: 'When to run, in the words of the user.' }),
    label: () => 'Looking for a schedule',
    run(args, { notes }) {
      const schedule = textOf(args, 'schedule');
      notes.leftOut.push(schedule);
      const summary = scheduled(schedule);
      return { text: summary, summary, ends_request: true, declined: true };
    },
  },
  {
    name: 'explain_flow',
    description: 'Explains the flow: what it does, step by step.',
    parameters: textParameters({}),
    label: () => 'Reading the flow',
    async run(_, { turn, working }) {
      const flow = await working.read();
      if (flow.nodes.length === 0) return failed(EMPTY_CANVAS);
      const text = flowPage(flow, turn.registry).trim();
      return { text, summary: text };
    },
  },
];
