import type { Frame, MadeFrame, Piece } from '../../framing/framing.ts';
import { replaceSpans, spanOf } from '../json-span.ts';
import type { JsonObject } from '../wire-json.ts';
import { stop, textBlock } from './made.ts';

/** The event with another block index; every other byte of its data stays. */
export function pieceWithIndex(frame: Frame, index: number): Piece {
  return changed(frame, ['index'], String(index));
}

/** The event with another stop reason. */
export function pieceWithStop(frame: Frame, reason: string): Piece {
  return changed(frame, ['delta', 'stop_reason'], JSON.stringify(reason));
}

/** The event with another usage. */
export function pieceWithUsage(piece: Piece, usage: JsonObject): Piece {
  return changed(piece, ['usage'], JSON.stringify(usage));
}

/**
 * Splits a `message_start` that contains blocks: the start without content, then every block as events of its own, or
 * its note if it has one.
 */
export function startInBlocks(frame: Frame, notes: readonly (string | undefined)[], shift: number): Piece[] {
  const text = dataOf(frame);
  const blocks = notes.flatMap((note, place): Piece[] => {
    const index = place + shift;
    if (note !== undefined) return textBlock(index, note);
    const span = spanOf(text, ['message', 'content', place]);
    const block = span ? text.slice(span.start, span.end) : '{}';
    const start = `{"type":"content_block_start","index":${index},"content_block":${block}}`;
    return [{ event: 'content_block_start', data: start }, stop(index)];
  });
  return [changed(frame, ['message', 'content'], '[]'), ...blocks];
}

function changed(frame: Piece, path: readonly string[], value: string): Piece {
  const text = dataOf(frame);
  const span = spanOf(text, path);
  if (!span) return frame;
  const data = replaceSpans(text, [{ span, text: value }]);
  const piece: MadeFrame = frame.event === undefined ? { data } : { event: frame.event, data };
  return piece;
}

/** The data on one line: in JSON, line breaks occur only between values. */
function dataOf(frame: Piece): string {
  return (frame.data ?? '').replace(/^\uFEFF/, '').replace(/[\r\n]+/g, ' ');
}
