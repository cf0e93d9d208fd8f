import type { ToolCall, ToolResult } from '@croft/tools';
import { FRAME_LIMITS, type RequestFrame, type ResponseFrame } from '../frames.ts';

/**
 * How an answer is written. `seed`: `{data}` or `{error}`. `later`: `{result}`, an MCP result. `croft`: `{data}` with
 * what else the result has, or `{error, data}`.
 */
export type AnswerStyle = 'seed' | 'later' | 'croft';

/** One call a server asked for. */
export interface CallRequest {
  readonly requestId: string;
  readonly call: ToolCall;
  readonly style: AnswerStyle;
  /** What is left of the time the server waits, from now on. */
  readonly deadlineMs: number | undefined;
}

/** It stands in an address: nothing that could mean another one. */
const REQUEST_ID = /^(?!\.{1,2}$)[\w.:~-]+$/;
/** Timers take no more. */
const MAX_DEADLINE_MS = 24 * 60 * 60_000;

/**
 * Reads the payload of a `filesystem-request`; `undefined` for what cannot be run, or not even be answered.
 *
 * @param isCroft whether the server said in `init` that it is one of Croft's own
 */
export function readCallRequest(
  { requestId, deadlineMs, toolCall, operation, args }: LooseRequest,
  isCroft: boolean,
): CallRequest | undefined {
  if (!REQUEST_ID.test(requestId)) return undefined;
  const wait = deadlineMs === undefined ? undefined : Math.min(Math.max(0, deadlineMs), MAX_DEADLINE_MS);
  const base = { requestId, deadlineMs: Number.isNaN(wait) ? undefined : wait };
  if (toolCall !== undefined) {
    const call = { name: toolCall.name, input: toolCall.arguments };
    return { ...base, style: isCroft ? 'croft' : 'later', call };
  }
  if (operation !== undefined) return { ...base, style: 'seed', call: { name: operation, input: args } };
  return undefined;
}

type Loose<T> = { [K in keyof T]: T[K] | undefined };
/** As it comes from servers, of which only Croft's own say a deadline. */
type LooseRequest = Pick<RequestFrame['payload'], 'requestId'> & Partial<Loose<RequestFrame['payload']>>;

/** A result as the body of an answer. */
export function encodeAnswer(result: ToolResult, style: AnswerStyle): string {
  if (style === 'later') return JSON.stringify(toLater(result));
  const said = result.data.error;
  const error = (typeof said === 'string' ? said : 'The call failed').slice(0, FRAME_LIMITS.maxErrorChars);
  if (style === 'seed') return JSON.stringify(result.ok ? { data: result.data } : { error });
  return JSON.stringify({
    data: result.data,
    ...(!result.ok && { error }),
    ...(result.text !== undefined && { text: result.text }),
    ...(result.media !== undefined && { media: [...result.media] }),
  } satisfies ResponseFrame);
}

/** A call that was not run or whose answer was not sent, as an answer. */
export function encodeFailure(message: string, style: AnswerStyle): string {
  return encodeAnswer({ ok: false, data: { error: message } }, style);
}

/** The envelope travels twice, as text and as structured content: servers differ in which of them their models see. */
function toLater(result: ToolResult): object {
  const text = result.text ?? JSON.stringify(result.data);
  return {
    result: {
      content: [{ type: 'text', text }, ...(result.media ?? []).map(toContent)],
      structuredContent: result.data,
      ...(!result.ok && { isError: true }),
    },
  };
}

type Media = NonNullable<ToolResult['media']>[number];

/** The later dialect knows images and resources; sound goes as a resource. */
function toContent(media: Media): object {
  if (media.type === 'image') return { type: 'image', data: media.data, mimeType: media.mimeType };
  const uri = media.type === 'resource' ? media.uri : 'croft:audio';
  return { type: 'resource', resource: { uri, mimeType: media.mimeType, blob: media.data } };
}
