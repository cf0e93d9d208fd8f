import type { ToolCall, ToolResult } from '@croft/tools';
import { FRAME_LIMITS, type RequestFrame } from '../frames.ts';
import type { ResponseFrame } from '../response-frame.ts';

/**
 * The form of a response. `seed`: `{data}` or `{error}`. `later`: `{result}`, an MCP result. `croft`: `{data}` with the
 * result's other members, or `{error, data}`.
 */
export type AnswerStyle = 'seed' | 'later' | 'croft';

/** One call that a server requested. */
export interface CallRequest {
  readonly requestId: string;
  readonly call: ToolCall;
  readonly style: AnswerStyle;
  /** The remaining time until the server stops waiting, in milliseconds. */
  readonly deadlineMs: number | undefined;
}

/** The id becomes a part of a URL, so it must not contain characters that change the path. */
const REQUEST_ID = /^(?!\.{1,2}$)[\w.:~-]+$/;
/** The maximum of Node's timers is above this. */
const MAX_DEADLINE_MS = 24 * 60 * 60_000;

/**
 * Reads the payload of a `filesystem-request`; `undefined` if it cannot be run or not even answered.
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
/** As received from servers, of which only Croft's own send a deadline. */
type LooseRequest = Pick<RequestFrame['payload'], 'requestId'> & Partial<Loose<RequestFrame['payload']>>;

/** Encodes a result as the body of a response. */
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

/** Encodes a call that was not run, or whose response could not be sent. */
export function encodeFailure(message: string, style: AnswerStyle): string {
  return encodeAnswer({ ok: false, data: { error: message } }, style);
}

/** Sends the envelope twice, as text and as structured content: servers differ in which of them their models see. */
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

/** The later dialect supports images and resources; audio is sent as a resource. */
function toContent(media: Media): object {
  if (media.type === 'image') return { type: 'image', data: media.data, mimeType: media.mimeType };
  const uri = media.type === 'resource' ? media.uri : 'croft:audio';
  return { type: 'resource', resource: { uri, mimeType: media.mimeType, blob: media.data } };
}
