import type { MessageEvent } from './event.ts';

/**
 * The part of a reply that the client has received, from upstream or from the guard. A second reply must continue it,
 * or the guard must close it.
 */
export class Sent {
  started = false;
  /** Number of blocks that began: the next block's index. */
  blocks = 0;
  /** Indexes of blocks without an end. */
  readonly open = new Set<number>();

  /** Records an event that is sent. Its indexes are those of upstream; `shift` is added to them. */
  note(event: MessageEvent, shift: number): void {
    switch (event.kind) {
      case 'message-start':
        // A second start is sent as the ends of the blocks that the first reply left open.
        if (this.started) this.open.clear();
        this.started = true;
        this.blocks += event.blocks.length;
        break;
      case 'block-start':
        this.blocks = Math.max(this.blocks, event.index + shift + 1);
        this.open.add(event.index + shift);
        break;
      case 'block-stop':
        this.open.delete(event.index + shift);
        break;
    }
  }

  copy(): Sent {
    const copy = new Sent();
    copy.started = this.started;
    copy.blocks = this.blocks;
    for (const index of this.open) copy.open.add(index);
    return copy;
  }
}
