import type { LanguageModelV3Prompt, LanguageModelV3ToolResultPart } from '@ai-sdk/provider';

/** One tool call of the current turn with its result. */
export interface DoneCall {
  readonly name: string;
  readonly output: unknown;
  readonly isError: boolean;
}

/** The part of a prompt that matters to the rules: the last request, and what its calls have given so far. */
export interface Conversation {
  readonly request: string;
  readonly done: readonly DoneCall[];
}

/** Quoted context that an application puts before a request: `[Title: … [End of title]`. It holds no instructions. */
const BLOCK_START = /\[[^[\]\n]*:\n/g;
const BLOCK_END = /\n\[End of [^\]\n]*\]\s*/g;
const CONTEXT_LINE = /^\[[^\]\n]*\]\s*\n/gm;

/** Reads the last request and the results after it. */
export function readConversation(prompt: LanguageModelV3Prompt): Conversation {
  const at = prompt.findLastIndex(({ role }) => role === 'user');
  const message = prompt[at];
  const text =
    message?.role === 'user'
      ? message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
      : '';
  const done = prompt
    .slice(at + 1)
    .flatMap((each) => (each.role === 'tool' ? each.content : []))
    .flatMap((part) => (part.type === 'tool-result' ? [doneCall(part)] : []));
  return { request: withoutBlocks(text).replace(CONTEXT_LINE, '').trim(), done };
}

/** One regular expression for a whole block would read on from each start that has no end. */
function withoutBlocks(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    BLOCK_START.lastIndex = from;
    const start = BLOCK_START.exec(text);
    if (start === null) break;
    BLOCK_END.lastIndex = BLOCK_START.lastIndex;
    if (BLOCK_END.exec(text) === null) break;
    parts.push(text.slice(from, start.index));
    from = BLOCK_END.lastIndex;
  }
  return parts.join('') + text.slice(from);
}

function doneCall({ toolName, output }: LanguageModelV3ToolResultPart): DoneCall {
  switch (output.type) {
    case 'text':
      return { name: toolName, output: output.value, isError: false };
    case 'json':
      return { name: toolName, output: output.value, isError: hasError(output.value) };
    case 'error-text':
    case 'error-json':
      return { name: toolName, output: output.value, isError: true };
    case 'execution-denied':
      return { name: toolName, output: output.reason ?? 'The call was not allowed.', isError: true };
    default:
      return { name: toolName, output: 'The result has parts that are not text.', isError: false };
  }
}

/** Whether a record says that the call failed. */
const hasError = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'error' in value && typeof value.error === 'string';

/** The call that a result asks for: a record with `next`, which names a tool and its arguments. */
export function nextCall(
  output: unknown,
): { readonly tool: string; readonly input: Record<string, unknown> } | undefined {
  if (typeof output !== 'object' || output === null || !('next' in output)) return undefined;
  const { tool, arguments: input } = (output.next ?? {}) as { tool?: unknown; arguments?: unknown };
  if (typeof tool !== 'string' || typeof input !== 'object' || input === null) return undefined;
  return { tool, input: input as Record<string, unknown> };
}

/** The sentence for people that a result has beside its data. */
export function summaryOf(output: unknown): string | undefined {
  if (typeof output !== 'object' || output === null || !('summary' in output)) return undefined;
  return typeof output.summary === 'string' && output.summary !== '' ? output.summary : undefined;
}

/** The note for people that a result has beside its data. */
export function noteOf(output: unknown): string | undefined {
  if (typeof output !== 'object' || output === null || !('note' in output)) return undefined;
  return typeof output.note === 'string' && output.note !== '' ? output.note : undefined;
}

/** Whether a result ends the request: later steps build on something that it left out. */
export const endsRequest = (output: unknown): boolean =>
  typeof output === 'object' && output !== null && 'ends_request' in output && output.ends_request === true;

const MAX_SHOWN = 2_000;

/** A result as text: a text as it is, a record line by line, everything else as JSON. Cut at 2,000 characters. */
export function resultText(value: unknown): string {
  const text = shownText(value) ?? wholeText(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${text.length - MAX_SHOWN} more characters)` : text;
}

/** The own words of a record: many tools answer with a `text` beside the data. */
function shownText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const summary = summaryOf(value);
  if (summary !== undefined) return summary;
  const { text, error } = value as { text?: unknown; error?: unknown };
  if (typeof text === 'string' && text !== '') return text;
  return typeof error === 'string' ? error : undefined;
}

/** The same without a limit, for an argument of the next call. */
export function wholeText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value) ?? '';
  return Object.entries(value)
    .map(([key, each]) => `${key}: ${typeof each === 'string' ? each : JSON.stringify(each)}`)
    .join('\n');
}
