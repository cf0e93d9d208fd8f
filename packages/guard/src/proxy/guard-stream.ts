import type { Frame, Framing, Piece } from './framing.ts';
import type { HeldBudget } from './held-budget.ts';
import { isText } from './is-text.ts';
import type { ReplyReader, SeenCall, Verdict, Wire } from '../wire/wire.ts';

/** What a held frame costs besides its bytes, roughly. */
const FRAME_OVERHEAD = 256;

/** What a guarded stream needs. */
export interface GuardStreamOptions {
  readonly wire: Wire;
  readonly framing: Framing;
  /** Bytes for the client. */
  readonly out: (bytes: Buffer) => void;
  /** A verdict for each call; must not throw. */
  readonly judge: (calls: readonly SeenCall[]) => readonly Verdict[];
  /** What is held grew past a limit: the verdict on the call it belongs to. */
  readonly tooLarge: () => Verdict;
  readonly budget: HeldBudget;
  readonly maxHeld: number;
  /** How much of an answer is recorded for asking again; 0 where that cannot be. */
  readonly maxRecorded: number;
  /** Dry-run: what would end the reply is let through instead. */
  readonly enforce: boolean;
}

/**
 * - `open`    give it more.
 * - `asking`  every call of the answer was blocked and it is complete on record: ask again (`splice`), or `refuse`.
 * - `over`    the reply ended here, whatever upstream still sends.
 */
export type StreamState = 'open' | 'asking' | 'over';

/**
 * One streamed reply, between upstream and client. Text passes at once as the very bytes; from a call's first fragment
 * everything is held until the calls are judged. Allowed, the held bytes go out unchanged, so a reply of which
 * nothing is blocked leaves byte for byte as it came, however it was cut. Synchronous; who calls it does the waiting.
 *
 * Never lets out: a byte of a call that has no verdict or is blocked; a frame that has a trace of a call and cannot be read;
 * bytes that are no text; data after the protocol's end.
 */
export class GuardStream {
  readonly #options: GuardStreamOptions;
  #framing: Framing;
  #reader: ReplyReader;
  #state: StreamState = 'open';
  /** Nothing is read any more (dry-run, after what would have ended the reply). */
  #bypass = false;
  #pending = 0;
  #held: (Frame | Buffer)[] = [];
  #heldBytes = 0;
  #verdicts: Verdict[] = [];
  /** The answer's bytes that went out, while it may still have to be asked again. */
  #record: Buffer[] | undefined;
  #recordBytes = 0;

  constructor(options: GuardStreamOptions) {
    this.#options = options;
    this.#framing = options.framing;
    this.#reader = options.wire.reader();
    this.#record = options.maxRecorded > 0 ? [] : undefined;
  }

  get state(): StreamState {
    return this.#state;
  }

  /** Something of a call waits for its end. */
  get holding(): boolean {
    return this.#held.length > 0;
  }

  /** Bytes that came and are not read yet. */
  get unread(): number {
    return this.#framing.pending;
  }

  /** The verdicts that made it `asking`. */
  get verdicts(): readonly Verdict[] {
    return this.#verdicts;
  }

  /** Everything upstream sent of this answer, up to where it was asked again. */
  get answer(): readonly Frame[] {
    return [...this.#recordedFrames(), ...this.#heldFrames()];
  }

  push(chunk: Buffer): void {
    if (this.#state === 'over') return;
    if (this.#bypass) return this.#options.out(chunk);
    this.#framing.push(chunk);
    this.#pump();
    this.#accountPending();
  }

  /** Upstream ended properly. An open call is dropped all the same: its end was never seen. */
  end(): void {
    if (this.#state === 'over' || this.#bypass) return this.close();
    this.#framing.finish();
    this.#pump();
    if (this.#state === 'open' && this.holding) this.fail('The reply ended inside a tool call; the call was dropped.');
    if (this.#state !== 'asking') this.close();
  }

  /** Ends the reply with an error the protocol's SDKs throw on; what is held is dropped. */
  fail(message: string): void {
    if (this.#state === 'over') return;
    this.#endWith(this.#reader.fail(message));
  }

  /** `asking` failed: the refusals become text of this reply. The rest of the answer may follow. */
  refuse(): void {
    if (this.#state !== 'asking') return;
    this.#state = 'open';
    this.#release();
    this.#pump();
  }

  /** `asking` was answered: this answer continues what the client already has, and what was held is dropped. */
  splice(framing: Framing): void {
    if (this.#state !== 'asking') return;
    const recorded = this.#recordedFrames();
    this.#reader = this.#reader.splice([...recorded, ...this.#heldFrames(), ...this.#rest()], recorded.length);
    this.#clearHeld();
    this.#forgetRecord();
    this.#record = [];
    framing.follow?.(this.#framing);
    this.#framing = framing;
    this.#state = 'open';
  }

  /** Gives back what is kept; nothing more goes out. */
  close(): void {
    this.#clearHeld();
    this.#forgetRecord();
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
        this.#note(frame.raw);
        return this.#emit(this.#reader.rewrite(frame));
      case 'drop':
        return this.#note(frame.raw);
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

  #stopAt(item: Frame | Buffer): void {
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
      if (this.#record && this.#verdicts.every((verdict) => verdict.blocked)) this.#state = 'asking';
      else this.#release();
    }
  }

  #release(): void {
    const verdicts = this.#verdicts;
    const plain = !verdicts.some((verdict) => verdict.blocked) && this.#reader.interesting !== undefined;
    // A call is out: the model cannot be asked again about this turn.
    if (verdicts.length > 0) this.#forgetRecord();
    const held = this.#held;
    if (plain) {
      this.#reader.release(held.filter(isFrame), verdicts);
      this.#clearHeld();
      for (const item of held) {
        const bytes = bytesOf(item);
        this.#note(bytes);
        this.#options.out(isRun(item) ? item : this.#framing.write(item));
      }
      return;
    }
    const pieces = this.#reader.release(this.#heldFrames(), verdicts);
    this.#clearHeld();
    for (const item of held) this.#note(bytesOf(item));
    this.#emit(pieces);
  }

  #pass(item: Frame | Buffer): void {
    if (this.holding) return this.#hold(item);
    this.#note(bytesOf(item));
    this.#options.out(isRun(item) ? item : this.#framing.write(item));
  }

  #hold(item: Frame | Buffer): void {
    const cost = bytesOf(item).length + FRAME_OVERHEAD;
    this.#held.push(item);
    if (this.#options.budget.take(cost)) this.#heldBytes += cost;
    else this.#overflow();
  }

  /** Nothing of what is held goes out, and nothing that is still to come. */
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

  /** What has come of a frame that is not complete counts as held: it may be part of a call. */
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
    if (this.#heldBytes + pending > this.#options.maxHeld) this.#overflow();
  }

  #passFromHere(next: Frame | Buffer | undefined): void {
    this.#bypass = true;
    const held = this.#held;
    this.#clearHeld();
    this.#forgetRecord();
    for (const item of held) this.#options.out(bytesOf(item));
    if (next) this.#options.out(bytesOf(next));
    this.#framing.finish();
    this.#pump();
  }

  #emit(pieces: readonly Piece[]): void {
    for (const piece of pieces) this.#options.out(this.#framing.write(piece));
  }

  /** What came behind the end of the turn: some servers say there what the answer cost. */
  #rest(): Frame[] {
    const rest: Frame[] = [];
    for (let next = this.#framing.next(undefined); next; next = this.#framing.next(undefined))
      if (isFrame(next) && isText(next.raw)) rest.push(next);
    return rest;
  }

  #heldFrames(): Frame[] {
    return this.#held.flatMap((item) => (isRun(item) ? this.#framing.split(item) : [item]));
  }

  #recordedFrames(): Frame[] {
    return this.#record ? this.#framing.split(Buffer.concat(this.#record)) : [];
  }

  /** Keeps bytes that went out, for the request that asks again; gives the record up where it grows too large. */
  #note(bytes: Buffer): void {
    if (!this.#record) return;
    if (this.#recordBytes + bytes.length > this.#options.maxRecorded || !this.#options.budget.takeSpare(bytes.length))
      return this.#forgetRecord();
    this.#record.push(bytes);
    this.#recordBytes += bytes.length;
  }

  #forgetRecord(): void {
    this.#options.budget.give(this.#recordBytes);
    this.#record = undefined;
    this.#recordBytes = 0;
  }

  #clearHeld(): void {
    this.#options.budget.give(this.#heldBytes);
    this.#held = [];
    this.#heldBytes = 0;
    this.#verdicts = [];
  }
}

function isFrame(item: Frame | Buffer): item is Frame {
  return !isRun(item);
}

function bytesOf(item: Frame | Buffer): Buffer {
  return isRun(item) ? item : item.raw;
}

function isRun(item: Frame | Buffer): item is Buffer {
  return Buffer.isBuffer(item);
}
