import type { Decision, ObservedCall } from '../decision.ts';
import type { Frame, Framing, Piece } from '../framing/framing.ts';

/*
 * The interface of the four wires. A wire knows one protocol and nothing about sockets, time, judging or logs.
 * Everything is synchronous and pure, except for the state of a `ReplyReader`. `wire/openai-chat/` is the example.
 *
 * The parts of a streamed reply:
 *
 *   framing ──frames──▶ guard-stream ──read(frame)──▶ reader          the reader classifies the frame
 *                            │        ◀──Reading────
 *                            ├─ pass:    the original bytes go out (after what is held, so that the order is kept)
 *                            ├─ hold:    kept
 *                            ├─ settle:  kept; complete() is judged; if all calls are allowed, release(held) goes out
 *                            └─ finish:  as settle; blocked calls are resolved now: by asking upstream again
 *                                        (retryRequest, then splice) or by release(held, verdicts) with notes
 *
 * Unread frames. The guard-stream does not pass a frame to the reader if its bytes do not match `interesting`; the
 * frame goes out as part of its chunk. So a reader does not see the text of the reply and must not need it: the facts
 * that a retry needs (text, thinking blocks, ids, the number of blocks) are in the recorded frames, which `retryRequest`
 * and `splice` receive.
 */

/** The protocols that the guard reads. */
export type WireName = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini';

/** A complete call, which must be judged before any part of it is sent. */
export interface SeenCall {
  /** The wire's own id for the call: unique within one reply, the same in `read`, `release` and `retryRequest`. */
  readonly key: string;
  /**
   * Every way in which a client could read the call; usually one. More if clients differ (a name sent twice: first,
   * last, joined; an object in content_block_start and deltas after it). The worst decision counts. Never empty unless
   * `fault` is set.
   */
  readonly readings: readonly ObservedCall[];
  /** The wire itself found the call impossible to judge: it is blocked by that rule, without asking the judge. */
  readonly fault?: 'ambiguous-arguments' | 'invalid-arguments' | 'too-large';
}

/** The decision about one call, and the texts for it. */
export interface Verdict {
  readonly key: string;
  /** The name of the call in messages. */
  readonly name: string;
  /** Whether the call is blocked, after applying `mode`: in dry-run a `block` decision does not block. */
  readonly blocked: boolean;
  readonly decision: Decision;
  /** The tool result for a retry: the refusal, or, for an allowed call beside it, that it was not run. */
  readonly result: string;
  /** The text in the reply in place of a refused call, as the model's text. Empty if the call was not refused. */
  readonly note: string;
}

/**
 * How to handle a frame.
 * - `pass`: contains no part of a call. Its bytes go out unchanged.
 * - `rewrite`: contains no part of a call, but must change, because a block was removed before or the reply is spliced.
 *   `rewrite(frame)` returns the new frames. If it is among held frames, `release` rewrites it in its place.
 * - `drop`: is not sent: the start of a second reply, or anything after the end.
 * - `hold`: part of an incomplete call.
 * - `settle`: held, and every open call is now complete (Anthropic content_block_stop, Responses output_item.done).
 *   More calls may follow.
 * - `finish`: like `settle`, and the turn is over, so no call follows (finish_reason; message_delta with stop_reason;
 *   response.completed; a Gemini part with finishReason). Also used if there was no call at all.
 * - `broken`: contains a trace of a call that cannot be parsed reliably (invalid JSON, duplicate keys, a key in another
 *   case, a call where no client of this protocol should look). The reply ends with an error.
 */
export type Reading = 'pass' | 'rewrite' | 'drop' | 'hold' | 'settle' | 'finish' | 'broken';

/** Reads one streamed reply. Stateful: one object per reply, and a new one (`splice`) for the reply to a retry. */
export interface ReplyReader {
  /**
   * The pattern that a frame must match to be read (bytes as Latin-1); `undefined`: every frame. Checked before every
   * frame, so it may change: a reader that must renumber from now on returns `undefined`. There must be no false
   * negatives: a JSON key can contain escapes, so the pattern must match `\u00` besides each key's name, and be
   * case-insensitive, because Go's decoder is. Must not have the flags `g` and `y`.
   */
  readonly interesting: RegExp | undefined;
  /**
   * The protocol's last frame was read ([DONE], message_stop, response.completed|incomplete|failed). From then on
   * `interesting` is `undefined` and `read` returns `drop` for every frame with data.
   */
  readonly ended: boolean;
  /** Reads one frame. Never throws: a frame that it cannot read is `broken`. */
  read(frame: Frame): Reading;
  /** The calls that became complete since the last call of this method. Called after `settle` and `finish`. */
  complete(): readonly SeenCall[];
  /**
   * The pieces to send for the held frames, in order, once every call in them has a verdict. If nothing is blocked or
   * spliced: exactly `held`, the same objects, so that the bytes stay. Otherwise without any byte of the blocked calls:
   * the other calls are renumbered, `note` replaces each blocked call as text, and the stop reason fits the rest (never
   * "tool use" without a call). Later frames (indexes, sequence numbers, snapshots) must fit, so `read` returns
   * `rewrite` where needed. A held frame without any trace of a call keeps its bytes where possible.
   */
  release(held: readonly Frame[], verdicts: readonly Verdict[]): readonly Piece[];
  /** The pieces to send for a frame for which `read` returned `rewrite`. */
  rewrite(frame: Frame): readonly Piece[];
  /**
   * Ends the reply with this note as the model's text, for a call that is too large to keep: text, stop reason,
   * terminator. Held frames are dropped.
   */
  conclude(note: string): readonly Piece[];
  /** Ends the reply with an error on which the protocol's SDKs throw. Held frames are dropped. */
  fail(message: string): readonly Piece[];
  /**
   * Creates the reader for the reply to a retry, whose frames continue what the client already has. `frames` is
   * everything that upstream sent for this reply; the first `sent` of them went to the client (held frames are
   * dropped). The second reply's start is dropped, its indexes and sequence numbers continue, and its ids are those of
   * the first. But if a later request refers to the reply by id (Responses), the final snapshot has the second one's
   * id. Its usage is the sum of both.
   */
  splice(frames: readonly Frame[], sent: number): ReplyReader;
}

/** A reply that is not streamed, or the frames of a streamed one. */
export type Reply = { readonly body: Buffer } | { readonly frames: readonly Frame[] };

/** The calls in a reply that is not streamed. */
export type BodyReading =
  /** No trace of a call: the bytes go out unchanged. */
  | { readonly kind: 'plain' }
  | { readonly kind: 'calls'; readonly calls: readonly SeenCall[] }
  /** A trace of a call, or invalid JSON, that cannot be parsed reliably: the reply is replaced by an error. */
  | { readonly kind: 'broken' };

/** One protocol. Stateless. */
export interface Wire {
  readonly name: WireName;
  /**
   * Whether a request asks for replies of this protocol. `path` is only for comparing: percent-decoded, lower case,
   * without query, doubled or trailing slashes and dot segments, and without the upstream's prefix. Compare its end, so
   * that the longer paths of Azure, OpenRouter and Vertex match.
   */
  matches(method: string, path: string): boolean;
  /** The requested model, from the body or the URL (as the client wrote it). `undefined` if unknown. */
  model(request: Buffer | undefined, url: string): string | undefined;
  /**
   * How to read a successful reply with this content type (lower case, without parameters): split into frames, as one
   * body, or not at all (`undefined`: the proxy refuses it, because it could contain a call). `url` as the client wrote
   * it.
   */
  open(contentType: string, url: string): Framing | 'body' | undefined;
  /** Creates a reader for a first reply. */
  reader(): ReplyReader;
  /** The calls of a reply that is not streamed. Never throws. */
  readBody(body: Buffer): BodyReading;
  /**
   * A reply that is not streamed, without its blocked calls, by the same rules as `release`. Only called after
   * `readBody` returned `calls` and at least one is blocked.
   */
  rewriteBody(body: Buffer, verdicts: readonly Verdict[]): Buffer;
  /**
   * The same body with the usage of the earlier replies added to its own, because the client pays for all of them. The
   * same object if it reports none. Never throws.
   */
  withUsage(body: Buffer, earlier: readonly Buffer[]): Buffer;
  /**
   * The request that asks the model again: the original request, plus the assistant's turn as it was (all its calls,
   * text, thinking blocks and signatures), plus one native tool result per call with `verdict.result`, marked as an
   * error where the protocol allows it. Only used if every call of the reply was blocked. `undefined` if it cannot be
   * built (the request is not JSON, several candidates, server-side state that cannot be continued): the refusal
   * becomes text then. Never throws.
   */
  retryRequest(request: Buffer, reply: Reply, verdicts: readonly Verdict[]): Buffer | undefined;
  /**
   * The request as upstream understands it: undoes the guard's changes to earlier replies (a message it created, a call
   * it removed from a response that upstream stores). The same object if there are none. Only for protocols whose
   * requests refer to data that upstream stores. Never throws.
   */
  readonly restore?: (request: Buffer) => Buffer;
  /** The body of an error reply that the protocol's SDKs show to their caller. */
  errorBody(status: number, message: string): string;
}
