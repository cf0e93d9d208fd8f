import { describe, expect, it } from 'vitest';
import type { Frame } from '../../framing/framing.ts';
import { noteItem } from './notes.ts';
import { Outgoing } from './outgoing.ts';

const frameOf = (payload: object, event?: string): Frame => ({
  raw: Buffer.from('raw'),
  data: JSON.stringify(payload),
  event,
  unclear: false,
});
const placed = (out: Outgoing, payload: Record<string, unknown>, changes = {}, event?: string) => {
  const frame = frameOf(payload, event);
  const piece = out.placed(frame, payload, changes);
  return piece === frame ? 'same' : { event: piece.event, data: JSON.parse(piece.data ?? '') as unknown };
};

describe('a first reply', () => {
  it('remembers the items by their position', () => {
    const out = new Outgoing();
    out.show(2, { id: 'c' });
    out.show(0, { id: 'a' });
    expect([out.items(), out.taken, out.after([1])]).toEqual([[{ id: 'a' }, { id: 'c' }], 3, [1]]);
    out.show(0, { id: 'b' });
    expect([out.items(), out.taken]).toEqual([[{ id: 'b' }, { id: 'c' }], 3]);
  });

  it('keeps a frame in which nothing changes', () => {
    const out = new Outgoing();
    expect(placed(out, { output_index: 1, sequence_number: 4 })).toBe('same');
    expect(placed(out, { a: 1 }, { a: 2 }, 'e')).toEqual({ event: 'e', data: { a: 2 } });
    expect(placed(out, { a: 1 }, { a: 2 })).toEqual({ event: undefined, data: { a: 2 } });
  });

  it('numbers events from a number on', () => {
    const out = new Outgoing();
    out.next = 7;
    expect(placed(out, { sequence_number: 7 })).toBe('same');
    expect(placed(out, { sequence_number: 7 })).toEqual({ event: undefined, data: { sequence_number: 8 } });
    expect(placed(out, { a: 1 })).toBe('same');
    expect(out.next).toBe(9);
  });

  it('makes events with names and numbers if it has any', () => {
    const out = new Outgoing();
    expect(out.made('x', { a: 1 })).toEqual({ event: 'x', data: '{"type":"x","a":1}' });
    out.named = false;
    out.next = 3;
    expect(out.made('x', {})).toEqual({ data: '{"type":"x","sequence_number":3}' });
    expect(out.next).toBe(4);
  });

  it('shows a created message', () => {
    const out = new Outgoing();
    const item = noteItem('no', '0');
    const frames = out.note(1, item);
    expect([frames.length, out.items(), out.taken]).toEqual([6, [item], 2]);
    expect(frames[0]?.data).toContain('"output_index":1');
  });
});

describe('a reply that continues another', () => {
  const before = new Outgoing();
  before.show(0, { id: 'a' });
  before.show(1, { id: 'b' });
  const continuing = () => new Outgoing(before.continued(5));

  it('has its positions, items and numbers after those before', () => {
    const out = continuing();
    expect([out.taken, out.next, out.items()]).toEqual([0, 5, [{ id: 'a' }, { id: 'b' }]]);
    expect(placed(out, { output_index: 1, sequence_number: 0 })).toEqual({
      event: undefined,
      data: { output_index: 3, sequence_number: 5 },
    });
    out.show(0, { id: 'c' });
    expect([out.taken, out.items().length]).toEqual([1, 3]);
    expect(out.after(['x'])).toEqual([{ id: 'a' }, { id: 'b' }, 'x']);
    expect(out.note(1, noteItem('no', '0'))[0]?.data).toContain('"output_index":3');
  });

  it('does not change the reply before', () => {
    continuing().show(0, { id: 'c' });
    expect(before.items()).toHaveLength(2);
    expect(before.continued(undefined)).toMatchObject({ announced: 2, next: undefined });
  });
});
