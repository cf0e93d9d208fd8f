import type { Frame, Piece } from '../../framing/framing.ts';
import type { Reading, ReplyReader, SeenCall, Verdict } from '../wire.ts';
import { Cost } from './cost.ts';
import { hasTrace, INTERESTING, type MessageEvent, readEvent } from './event.ts';
import { fragmentIn } from './fragment.ts';
import { errorPayload, made, messageEnd, messageStart, stop, textBlock } from './made.ts';
import { pieceWithIndex, pieceWithStop, pieceWithUsage, startInBlocks } from './rewrite.ts';
import { Sent } from './sent.ts';
import { isWhole, type StreamedCall, StreamedCalls } from './streamed-calls.ts';

interface StreamedBlock {
  readonly index: number;
  readonly takesInput: boolean;
  readonly call: StreamedCall | undefined;
}

/**
 * Reads a streamed message. A call is complete at its block's end, or where the message ends without one. A refused
 * call's block becomes a text block at the same index, so later blocks keep their indexes.
 */
export class AnthropicReader implements ReplyReader {
  ended = false;
  /** The client's state after the earlier replies, and the offset for the indexes of this one. */
  readonly #before: Sent;
  readonly #shift: number;
  readonly #sent: Sent;
  readonly #cost: Cost;
  readonly #events = new WeakMap<Frame, MessageEvent>();
  readonly #blocks = new Map<number, StreamedBlock>();
  readonly #calls = new StreamedCalls();
  #count = 0;
  #newest: StreamedBlock | undefined;
  /** Clients could disagree on the block to which a fragment belongs. */
  #skewed = false;
  #named: boolean | undefined;

  constructor(before = new Sent(), cost = new Cost()) {
    this.#before = before;
    this.#cost = cost;
    this.#shift = before.blocks;
    this.#sent = before.copy();
  }

  get interesting(): RegExp | undefined {
    const changes = this.#calls.open > 0 || this.#calls.refused > 0 || this.#shift > 0 || this.#cost.isContinued;
    return this.ended || changes ? undefined : INTERESTING;
  }

  read(frame: Frame): Reading {
    if (this.ended) return frame.data === undefined ? 'pass' : 'drop';
    const fragment = this.#calls.open > 0 ? fragmentIn(frame.raw) : undefined;
    if (fragment) return this.#take(frame, fragment, 'content_block_delta', 'content_block_delta');
    if (frame.unclear && hasTrace(frame)) return 'broken';
    if (frame.data === undefined) return 'pass';
    const read = readEvent(frame.data);
    if (!read) return hasTrace(frame) ? 'broken' : 'pass';
    return this.#take(frame, read.event, read.type, frame.event);
  }

  complete(): SeenCall[] {
    return this.#calls.seen();
  }

  release(held: readonly Frame[], verdicts: readonly Verdict[]): readonly Piece[] {
    this.#calls.settle(verdicts);
    const changed = this.#calls.refused > 0 || this.#shift > 0 || this.#before.started || this.#cost.isContinued;
    const pieces = changed ? held.flatMap((frame) => this.#pieces(frame)) : held;
    for (const frame of held) {
      const event = this.#events.get(frame);
      if (event) this.#noteReleased(event);
    }
    return pieces;
  }

  rewrite(frame: Frame): readonly Piece[] {
    return this.#pieces(frame);
  }

  conclude(note: string): readonly Piece[] {
    this.ended = true;
    const { started, open, blocks } = this.#sent;
    const begin = started ? [...open].map(stop) : [messageStart()];
    return [...begin, ...textBlock(blocks, note), ...messageEnd()];
  }

  fail(message: string): readonly Piece[] {
    this.ended = true;
    return [made(errorPayload('api_error', message))];
  }

  splice(frames: readonly Frame[], sent: number): ReplyReader {
    const state = this.#before.copy();
    const cost = this.#cost.anew();
    for (const [position, frame] of frames.entries()) {
      if (frame.data === undefined || !hasTrace(frame)) continue;
      const event = readEvent(frame.data)?.event;
      if (event) cost.note(event);
      // A second start is never sent, although the pieces made from it may be.
      if (event && position < sent) state.note(event, this.#shift);
    }
    return new AnthropicReader(state, new Cost(cost.total()));
  }

  #take(frame: Frame, event: MessageEvent, type: string, name: string | undefined): Reading {
    if (event.kind !== 'other') this.#checkName(name, type);
    this.#events.set(frame, event);
    this.#cost.note(event);
    const wasHolding = this.#calls.unsettled > 0;
    const reading = this.#readEvent(event);
    if ((reading === 'pass' || reading === 'rewrite') && !wasHolding) this.#sent.note(event, this.#shift);
    return reading;
  }

  #readEvent(event: MessageEvent): Reading {
    switch (event.kind) {
      case 'message-start':
        return this.#readStart(event.blocks);
      case 'block-start': {
        const { call, takesInput } = event.block;
        if (event.index !== this.#count) this.#skewed = true;
        if ((call && this.#skewed) || this.#blocks.get(event.index)?.call) return 'broken';
        this.#add({ index: event.index, takesInput, call: call && this.#calls.begin(event.index, call) });
        return call ? 'hold' : this.#plain();
      }
      case 'delta':
        return this.#readDelta(event.index, event.partial);
      case 'block-stop':
        return this.#readStop(event.index);
      case 'message-delta':
        if (event.stop === undefined) return this.#cost.isContinued ? 'rewrite' : 'pass';
        this.#calls.completeAll();
        return 'finish';
      case 'message-stop':
        this.ended = true;
        this.#calls.completeAll();
        return this.#calls.unsettled > 0 ? 'finish' : 'pass';
      case 'other':
        return 'pass';
    }
  }

  #readStart(blocks: Extract<MessageEvent, { kind: 'message-start' }>['blocks']): Reading {
    const calls = blocks.filter((block) => block.call);
    // Calls after a second start: their index depends on the client.
    if (calls.length > 0 && (this.#count > 0 || this.#skewed)) return 'broken';
    for (const { call, takesInput } of blocks) {
      const index = this.#count;
      this.#add({ index, takesInput, call: call && this.#calls.begin(index, call) });
    }
    this.#calls.completeAll();
    if (calls.length > 0) return 'settle';
    if (!this.#before.started) return 'pass';
    return blocks.length > 0 || this.#before.open.size > 0 ? 'rewrite' : 'drop';
  }

  #readDelta(index: number, partial: string | undefined): Reading {
    const block = this.#blocks.get(index);
    if (block?.call && block.call.state !== 'open') return 'broken';
    if (partial === undefined) return block?.call ? 'hold' : this.#plain();
    if (!block?.takesInput || this.#skewed) return 'broken';
    if (!block.call) return this.#plain();
    block.call.deltas += partial;
    return 'hold';
  }

  #readStop(index: number): Reading {
    const block = this.#blocks.get(index);
    const newest = this.#newest?.call;
    // The SDK's eager tool runner starts the newest block's call at any block's end, with the input received so far.
    if (newest?.state === 'open' && newest !== block?.call && !isWhole(newest.deltas))
      newest.fault = 'ambiguous-arguments';
    if (block?.call?.state !== 'open') return this.#plain();
    this.#calls.complete(block.call);
    return this.#calls.open > 0 ? 'hold' : 'settle';
  }

  #checkName(name: string | undefined, type: string): void {
    // The official SDK skips events without a name, and others ignore the name. With both kinds in one reply they would
    // count blocks differently.
    const named = name !== undefined;
    if (named && name !== type) this.#skewed = true;
    this.#named ??= named;
    if (this.#named !== named) this.#skewed = true;
  }

  #add(block: StreamedBlock): void {
    this.#blocks.set(block.index, block);
    this.#newest = block;
    this.#count++;
  }

  #plain(): Reading {
    return this.#shift > 0 ? 'rewrite' : 'pass';
  }

  #noteReleased(event: MessageEvent): void {
    const isRefused = 'index' in event && this.#blocks.get(event.index)?.call?.state === 'refused';
    if (isRefused && event.kind === 'block-start')
      this.#sent.blocks = Math.max(this.#sent.blocks, event.index + this.#shift + 1);
    else this.#sent.note(event, this.#shift);
  }

  #pieces(frame: Frame): readonly Piece[] {
    const event = this.#events.get(frame);
    switch (event?.kind) {
      case 'message-start':
        return this.#startPieces(frame, event.blocks.length);
      case 'block-start':
      case 'delta':
      case 'block-stop': {
        const call = this.#blocks.get(event.index)?.call;
        const index = event.index + this.#shift;
        if (call?.state === 'refused') return event.kind === 'block-start' ? textBlock(index, call.note) : [];
        return [this.#shift === 0 ? frame : pieceWithIndex(frame, index)];
      }
      case 'message-delta': {
        const promisesCalls = event.stop === 'tool_use' && this.#calls.refused > 0 && this.#calls.kept === 0;
        const piece = promisesCalls ? pieceWithStop(frame, 'end_turn') : frame;
        const usage = this.#cost.atEnd(event.usage);
        return [usage ? pieceWithUsage(piece, usage) : piece];
      }
      default:
        return [frame];
    }
  }

  /** Rewrites a start that contains blocks: the start without them, and the blocks as events. */
  #startPieces(frame: Frame, blocks: number): readonly Piece[] {
    const notes = Array.from({ length: blocks }, (_, place) => {
      const call = this.#blocks.get(place)?.call;
      return call?.state === 'refused' ? call.note : undefined;
    });
    const { started, open } = this.#before;
    if (!started && notes.every((note) => note === undefined)) return [frame];
    const [start, ...rest] = startInBlocks(frame, notes, this.#shift);
    return started ? [...[...open].map(stop), ...rest] : start ? [start, ...rest] : [];
  }
}
