import type { Decision, ObservedCall } from '../decision.ts';
import type { Frame, Framing, Piece } from '../proxy/framing.ts';

/*
 * The one shape of the four wires. A wire knows a protocol and nothing else: no sockets, no clock, no judging, no log.
 * All of it is synchronous and pure but for the state of a `ReplyReader`. `wire/openai-chat/` is the example.
 *
 * Who does what, for a streamed reply:
 *
 *   framing ──frames──▶ guard-stream ──read(frame)──▶ reader          the reader says what the frame is
 *                            │        ◀──Reading────
 *                            ├─ pass:    the very bytes go out (or wait behind what is held: order is kept)
 *                            ├─ hold:    kept
 *                            ├─ settle:  kept; complete() is judged; all allowed so far ⇒ release(held) goes out
 *                            └─ finish:  as settle, and something blocked is resolved now: by asking upstream again
 *                                        (retryRequest, then splice) or by release(held, verdicts) with notes
 *
 * Unread frames. The guard-stream does not hand over a frame whose bytes match nothing of `interesting`; it goes out as
 * part of the chunk it came in. So a reader has not seen the text of the reply, and must not need it: what a retry needs
 * of it (text, thinking blocks, ids, the number of blocks so far) is in the recorded frames that `retryRequest` and
 * `splice` are given.
 */

/** The protocols the guard reads. */
export type WireName = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini';

/** A call that is complete and must be judged before anything of it goes out. */
export interface SeenCall {
  /** The wire's own handle; unique within one reply, the same in `read`, `release` and `retryRequest`. */
  readonly key: string;
  /**
   * Every way a client could read it: one, as a rule. More where clients differ (a name sent twice: first, last, joined;
   * an object in content_block_start and deltas after it). The worst decision counts. Never empty unless `fault` is set.
   */
  readonly readings: readonly ObservedCall[];
  /** The wire itself knows that this cannot be judged; it is blocked by that rule and the judge is not asked. */
  readonly fault?: 'ambiguous-arguments' | 'invalid-arguments' | 'too-large';
}

/** What was decided about one call, and the words for it. */
export interface Verdict {
  readonly key: string;
  /** The name the call goes by in words. */
  readonly name: string;
  /** What happens, after `mode`: in dry-run a `block` decision is not blocked. */
  readonly blocked: boolean;
  readonly decision: Decision;
  /** For the tool result of a retry: the refusal, or for an allowed call beside it that it was not run. */
  readonly result: string;
  /** For the reply itself, in a refused call's place: the refusal as the model's text. Empty where it was not refused. */
  readonly note: string;
}

/**
 * What a frame is.
 * - `pass`    nothing of a call: its bytes go out unchanged.
 * - `rewrite` nothing of a call, but it has to be changed (a block was removed before, or the reply is spliced):
 *             `rewrite(frame)` gives what goes out. Also in its place among held frames: `release` rewrites it there.
 * - `drop`    nothing of it goes out: a second answer's start, anything after the end.
 * - `hold`    part of a call that is not complete.
 * - `settle`  held, and every call that was open is complete now (Anthropic content_block_stop, Responses
 *             output_item.done). More calls may follow.
 * - `finish`  as `settle`, and the turn is over: no call follows (finish_reason; message_delta with stop_reason;
 *             response.completed; a Gemini part with finishReason). Also right when there was no call at all.
 * - `broken`  there is a trace of a call in it and it cannot be read for certain (not JSON, duplicate keys, a key spelled
 *             in other case, a call in a place no client of this protocol should look). The reply ends with an error.
 */
export type Reading = 'pass' | 'rewrite' | 'drop' | 'hold' | 'settle' | 'finish' | 'broken';

/** Reads one streamed answer. Stateful; one object an answer, and a new one (`splice`) for the answer to a retry. */
export interface ReplyReader {
  /**
   * What a frame must match (bytes as Latin-1) to be read at all; `undefined`: every frame. Asked before every frame, so it
   * may change: a reader that has to renumber from now on returns `undefined`. There may be no false negatives: a
   * JSON key can be written with escapes, so it must match `\u00` besides each key's name, and be case-insensitive,
   * since Go's decoder is. Without the flags `g` and `y`.
   */
  readonly interesting: RegExp | undefined;
  /**
   * The protocol's last frame was read ([DONE], message_stop, response.completed|incomplete|failed). From then on
   * `interesting` is `undefined` and `read` says `drop` to every frame with data.
   */
  readonly ended: boolean;
  /** Takes one frame in. Never throws: what it cannot read is `broken`. */
  read(frame: Frame): Reading;
  /** The calls that became complete since this was last asked. Called after `settle` and `finish`. */
  complete(): readonly SeenCall[];
  /**
   * What goes out for the held frames, in order, now that every call in them has a verdict. Nothing blocked and not
   * spliced: exactly `held`, the same objects, so that the bytes stay. Otherwise without a byte of the blocked calls:
   * survivors renumbered, `note` as text in place of each blocked call, the stop reason right for what is left (never
   * "tool use" without a call). What comes after (indexes, sequence numbers, snapshots) must fit: from now on `read`
   * says `rewrite` where needed. A held frame without any trace of a call keeps its bytes where it can.
   */
  release(held: readonly Frame[], verdicts: readonly Verdict[]): readonly Piece[];
  /** What goes out for a frame to which `read` said `rewrite`. */
  rewrite(frame: Frame): readonly Piece[];
  /**
   * The reply ends here with these words as the model's text (a call that is too large to be kept): text, stop reason,
   * terminator. What was held is gone.
   */
  conclude(note: string): readonly Piece[];
  /** The reply ends here with an error on which the protocol's SDKs throw. What was held is gone. */
  fail(message: string): readonly Piece[];
  /**
   * The reader for the answer to a retry, whose frames continue what the client already has. `frames` is everything that
   * came from upstream for this answer, `sent` how many of them, from the front, went out to the client (the held rest
   * is dropped). The second answer's start is dropped, its indexes and sequence numbers follow on, its ids are the
   * first's; but where a later request refers to the reply by id (Responses) the final snapshot carries the second's.
   * What it says it cost is the sum of both.
   */
  splice(frames: readonly Frame[], sent: number): ReplyReader;
}

/** An answer that came in one piece, or in frames. */
export type Reply = { readonly body: Buffer } | { readonly frames: readonly Frame[] };

/** What a reply in one piece holds. */
export type BodyReading =
  /** No trace of a call: the bytes go out as they are. */
  | { readonly kind: 'plain' }
  | { readonly kind: 'calls'; readonly calls: readonly SeenCall[] }
  /** A trace of a call, or no JSON, and no certain reading: the reply is refused with an error. */
  | { readonly kind: 'broken' };

/** One protocol. Stateless. */
export interface Wire {
  readonly name: WireName;
  /**
   * Whether a request asks for replies of this protocol. `path` is for comparing only: percent-decoded, lower case,
   * without query, doubled or trailing slashes and dot segments, and without the upstream's prefix. Compare its end, so
   * that Azure's, OpenRouter's and Vertex's longer paths match.
   */
  matches(method: string, path: string): boolean;
  /** The model a request asks for, from its body or its URL (as the client wrote it). `undefined` when it cannot be told. */
  model(request: Buffer | undefined, url: string): string | undefined;
  /**
   * How a successful reply with this content type (lower case, without parameters) is read: cut into frames, as one body,
   * or not at all (`undefined`: the proxy refuses it, since it could carry a call). `url` as the client wrote it.
   */
  open(contentType: string, url: string): Framing | 'body' | undefined;
  /** A reader for a first answer. */
  reader(): ReplyReader;
  /** The calls of a reply in one piece. Never throws. */
  readBody(body: Buffer): BodyReading;
  /**
   * A reply in one piece without its blocked calls, by the same rules as `release`. Only called after `readBody` said
   * `calls` and at least one is blocked.
   */
  rewriteBody(body: Buffer, verdicts: readonly Verdict[]): Buffer;
  /**
   * The same body with what the answers before it cost added to what it says it cost itself: the client pays for all of
   * them. The very object where it does not say. Never throws.
   */
  withUsage(body: Buffer, earlier: readonly Buffer[]): Buffer;
  /**
   * The request that asks the model again: the one the reply answered, plus the assistant's turn as it was (all its
   * calls, text, thinking blocks and signatures), plus one native tool result for every call with `verdict.result`,
   * marked as an error where the protocol can. Only asked when every call of the reply was blocked. `undefined` where that
   * cannot be built (request no JSON, several candidates, state on the server that cannot be continued): the
   * refusal becomes text then. Never throws.
   */
  retryRequest(request: Buffer, reply: Reply, verdicts: readonly Verdict[]): Buffer | undefined;
  /**
   * The request as upstream understands it: what in it goes back to the guard's own changes to earlier replies (a message it
   * made, a call it took out of a response that upstream keeps) is taken back. The very object where that is nothing. Only
   * for protocols whose requests refer to what upstream keeps. Never throws.
   */
  readonly restore?: (request: Buffer) => Buffer;
  /** The body of an error reply the protocol's SDKs show to their caller. */
  errorBody(status: number, message: string): string;
}
