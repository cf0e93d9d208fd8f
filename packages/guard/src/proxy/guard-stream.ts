import type { Frame, Framing, Piece } from '../framing/framing.ts';
import type { GuardStreamOptions, StreamState } from './guard-stream-options.ts';
import { bytesOf, HeldItems, isFrame, isRun, type Item } from './held-items.ts';
import { isText } from './is-text.ts';
import { ReplyRecord } from './reply-record.ts';
import type { ReplyReader, Verdict } from '../wire/wire.ts';

/**
 * Filters one streamed reply between upstream and client. Text passes at once, unchanged. From a call's first fragment,
 * everything is held until the calls are judged; if they are allowed, the held bytes go out unchanged. So a reply
 * without a blocked call is forwarded byte for byte, however it was split. Synchronous; the caller does the waiting.
 *
 * Never sends: a byte of a call without a verdict or of a blocked call; a frame with a trace of a call that cannot be
 * parsed; bytes that are not text; data after the protocol's end.
 */
export class GuardStream {
  readonly #options: GuardStreamOptions;
  #framing: Framing;
  #reader: ReplyReader;
  #state: StreamState = 'open';
  /** Nothing is read any more (dry-run, after an event that would have ended the reply). */
  #bypass = false;
  #pending = 0;
  readonly #held: HeldItems;
  readonly #record: ReplyRecord;
  #verdicts: Verdict[] = [];

  constructor(options: GuardStreamOptions) {
    this.#options = options;
    this.#framing = options.framing;
    this.#reader = options.wire.reader();
    this.#held = new HeldItems(options.budget);
    this.#record = new ReplyRecord(options.budget, options.maxRecorded);
  }

  get state(): StreamState {
    return this.#state;
  }

  /** Whether parts of a call are held. */
  get holding(): boolean {
    return !this.#held.isEmpty;
  }

  /** Bytes received and not read yet. */
  get unread(): number {
    return this.#framing.pending;
  }

  /** The verdicts that led to the state `asking`. */
  get verdicts(): readonly Verdict[] {
    return this.#verdicts;
  }

  /** Everything that upstream sent of this reply, up to the retry. */
  get answer(): readonly Frame[] {
    return [...this.#record.frames(this.#framing), ...this.#held.frames(this.#framing)];
  }

  push(chunk: Buffer): void {
    if (this.#state === 'over') return;
    if (this.#bypass) return this.#options.out(chunk);
    this.#framing.push(chunk);
    this.#pump();
    this.#accountPending();
  }

  /** Upstream ended normally. An incomplete call is dropped: its end was not received. */
  end(): void {
    if (this.#state === 'over' || this.#bypass) return this.close();
    this.#framing.finish();
    this.#pump();
    if (this.#state === 'open' && this.holding) this.fail('The reply ended inside a tool call; the call was dropped.');
    if (this.#state !== 'asking') this.close();
  }

  /** Ends the reply with an error on which the protocol's SDKs throw. Drops what is held. */
  fail(message: string): void {
    if (this.#state === 'over') return;
    this.#endWith(this.#reader.fail(message));
  }

  /** Use if `asking` failed: turns the refusals into text of this reply. The rest of the reply may follow. */
  refuse(): void {
    if (this.#state !== 'asking') return;
    this.#state = 'open';
    this.#release();
    this.#pump();
  }

  /** Use if `asking` succeeded: the new reply continues what the client already has. Drops what was held. */
  splice(framing: Framing): void {
    if (this.#state !== 'asking') return;
    const recorded = this.#record.frames(this.#framing);
    const held = this.#held.frames(this.#framing);
    this.#reader = this.#reader.splice([...recorded, ...held, ...this.#rest()], recorded.length);
    this.#clearHeld();
    this.#record.restart();
    framing.follow?.(this.#framing);
    this.#framing = framing;
    this.#state = 'open';
  }

  /** Returns all bytes to the budget. Nothing more is sent. */
  close(): void {
    this.#clearHeld();
    this.#record.forget();
    this.#options.budget.give(this.#pending);
    this.#pending = 0;
    this.#state = 'over';
  }

  #pump(): void {
    while (this.#state === 'open') {
      const next = this.#framing.next(this.#reader.interesting);
      if (next === undefined) return;
      if (this.#bypass) this.#options.out(bytesOf(next));
      else if (!isText(bytesOf(next))) this.#stopAt(next);
      else if (isRun(next)) this.#pass(next);
      else this.#take(next);
    }
  }

  #take(frame: Frame): void {
    switch (this.#reader.read(frame)) {
      case 'pass':
        return this.#pass(frame);
      case 'rewrite':
        if (this.holding) return this.#hold(frame);
        this.#record.add(frame.raw);
        return this.#emit(this.#reader.rewrite(frame));
      case 'drop':
        return this.#record.add(frame.raw);
      case 'hold':
        return this.#hold(frame);
      case 'settle':
        this.#hold(frame);
        return this.#settle(false);
      case 'finish':
        this.#hold(frame);
        return this.#settle(true);
      case 'broken':
        return this.#stopAt(frame);
    }
  }

  #stopAt(item: Item): void {
    if (!this.#options.enforce) return this.#passFromHere(item);
    this.fail('The reply holds a tool call that cannot be read for certain; it was stopped.');
  }

  #settle(turnIsOver: boolean): void {
    if (this.#state !== 'open' || this.#bypass) return;
    const calls = this.#reader.complete();
    if (calls.length > 0) this.#verdicts.push(...this.#options.judge(calls));
    const blocked = this.#verdicts.some((verdict) => verdict.blocked);
    if (!blocked) this.#release();
    else if (turnIsOver) {
      if (this.#record.isComplete && this.#verdicts.every((verdict) => verdict.blocked)) this.#state = 'asking';
      else this.#release();
    }
  }

  #release(): void {
    const verdicts = this.#verdicts;
    const plain = !verdicts.some((verdict) => verdict.blocked) && this.#reader.interesting !== undefined;
    // A call was sent, so the model cannot be asked again about this turn.
    if (verdicts.length > 0) this.#record.forget();
    const held = this.#held.items;
    if (plain) {
      this.#reader.release(held.filter(isFrame), verdicts);
      this.#clearHeld();
      for (const item of held) {
        this.#record.add(bytesOf(item));
        this.#options.out(isRun(item) ? item : this.#framing.write(item));
      }
      return;
    }
    const pieces = this.#reader.release(this.#held.frames(this.#framing), verdicts);
    this.#clearHeld();
    for (const item of held) this.#record.add(bytesOf(item));
    this.#emit(pieces);
  }

  #pass(item: Item): void {
    if (this.holding) return this.#hold(item);
    this.#record.add(bytesOf(item));
    this.#options.out(isRun(item) ? item : this.#framing.write(item));
  }

  #hold(item: Item): void {
    if (!this.#held.add(item)) this.#overflow();
  }

  /** Drops what is held and everything that follows. */
  #overflow(): void {
    const verdict = this.#options.tooLarge();
    if (!verdict.blocked) return this.#passFromHere(undefined);
    this.#endWith(this.#reader.conclude(verdict.note));
  }

  #endWith(pieces: readonly Piece[]): void {
    this.#emit(pieces);
    const closing = this.#framing.close();
    if (closing) this.#options.out(closing);
    this.close();
  }

  /** The received part of an incomplete frame counts as held: it may belong to a call. */
  #accountPending(): void {
    const { pending } = this.#framing;
    if (this.#state === 'over' || this.#bypass) return;
    if (pending !== this.#pending) {
      const { budget } = this.#options;
      budget.give(this.#pending);
      this.#pending = 0;
      if (!budget.take(pending)) return this.#overflow();
      this.#pending = pending;
    }
    if (this.#held.bytes + pending > this.#options.maxHeld) this.#overflow();
  }

  #passFromHere(next: Item | undefined): void {
    this.#bypass = true;
    const held = this.#held.items;
    this.#clearHeld();
    this.#record.forget();
    for (const item of held) this.#options.out(bytesOf(item));
    if (next) this.#options.out(bytesOf(next));
    this.#framing.finish();
    this.#pump();
  }

  #emit(pieces: readonly Piece[]): void {
    for (const piece of pieces) this.#options.out(this.#framing.write(piece));
  }

  /** The frames after the end of the turn: some servers report usage there. */
  #rest(): Frame[] {
    const rest: Frame[] = [];
    for (let next = this.#framing.next(undefined); next; next = this.#framing.next(undefined))
      if (isFrame(next) && isText(next.raw)) rest.push(next);
    return rest;
  }

  #clearHeld(): void {
    this.#held.clear();
    this.#verdicts = [];
  }
}
