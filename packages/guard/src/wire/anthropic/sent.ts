import type { MessageEvent } from './event.ts';

/** What the client has of a reply, whoever wrote it: what has to be continued when another answer takes over, or closed. */
export class Sent {
  started = false;
  /** How many blocks began; the next one's index. */
  blocks = 0;
  /** Indexes of blocks that have no end yet. */
  readonly open = new Set<number>();

  /** Takes in an event that goes out, with indexes as upstream wrote them; `shift` is what is added to them. */
  note(event: MessageEvent, shift: number): void {
    switch (event.kind) {
      case 'message-start':
        // A second beginning goes out as the ends of what the first answer left open.
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
