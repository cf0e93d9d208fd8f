import type { Frame } from '../../framing/framing.ts';
import { isObject, type JsonObject, parseWireJson } from '../wire-json.ts';
import type { Reply } from '../wire.ts';
import type { BlockCall } from './blocks.ts';
import { inputIn, readMessage } from './body.ts';
import { readEvent, textAt } from './event.ts';

/** One call of a turn, with its key in verdicts. */
export interface TurnCall {
  readonly key: string;
  readonly call: BlockCall;
}

/** The assistant's turn, as the next request must repeat it. */
export interface Turn {
  /** Each content block as JSON text. */
  readonly blocks: readonly string[];
  readonly calls: readonly TurnCall[];
  readonly stop: string | undefined;
  /** The container that server tools ran in; a request that continues must name it. */
  readonly container: string | undefined;
}

/** The turn in a reply; `undefined` if a part of it cannot be reconstructed reliably. */
export function turnOf(reply: Reply): Turn | undefined {
  return 'body' in reply ? turnOfBody(reply.body) : turnOfFrames(reply.frames);
}

function turnOfBody(body: Buffer): Turn | undefined {
  const message = readMessage(body);
  if (!message) return undefined;
  const { text, payload, blocks, spans } = message;
  const content: unknown[] = Array.isArray(payload.content) ? payload.content : [];
  const parts: string[] = [];
  const calls: TurnCall[] = [];
  for (const [place, block] of content.entries()) {
    if (!isObject(block)) return undefined;
    const call = blocks[place]?.call;
    if (call) calls.push({ key: String(place), call });
    if (!isBlankText(block)) parts.push(sendable(block, inputIn(text, spans[place])));
  }
  return { blocks: parts, calls, stop: stopOf(payload), container: containerOf(payload) };
}

/** A block, assembled from its parts as the official SDK does. */
interface Growing {
  readonly block: JsonObject;
  readonly input: string | undefined;
  readonly call: BlockCall | undefined;
  deltas: string;
}

function turnOfFrames(frames: readonly Frame[]): Turn | undefined {
  const growing: Growing[] = [];
  let stop: string | undefined;
  let container: string | undefined;
  for (const frame of frames) {
    const read = frame.data === undefined ? undefined : readEvent(frame.data);
    if (!read || frame.data === undefined) continue;
    const { event, payload } = read;
    if (event.kind === 'message-start' && isObject(payload.message)) {
      // The start contained blocks: rare, and not worth a second way to build them.
      if (event.blocks.length > 0) return undefined;
      container = containerOf(payload.message) ?? container;
    } else if (event.kind === 'block-start' && isObject(payload.content_block)) {
      if (event.index !== growing.length) return undefined;
      const input = textAt(frame.data, ['content_block', 'input']);
      growing.push({ block: { ...payload.content_block }, input, call: event.block.call, deltas: '' });
    } else if (event.kind === 'delta') {
      if (!isObject(payload.delta) || !grow(growing[event.index], payload.delta)) return undefined;
    } else if (event.kind === 'message-delta' && isObject(payload.delta)) {
      stop = event.stop ?? stop;
      container = containerOf(payload.delta) ?? container;
    }
  }
  const blocks = growing
    .filter(({ block }) => !isBlankText(block))
    .map(({ block, input, deltas }) => sendable(block, deltas.trim() === '' ? input : deltas));
  const calls = growing.flatMap(({ call }, index) => (call ? [{ key: String(index), call }] : []));
  return { blocks, calls, stop, container };
}

/** Adds a delta to its block. False for an unknown kind, with which the block could be wrong. */
function grow(growing: Growing | undefined, delta: JsonObject): boolean {
  if (!growing) return false;
  const { block } = growing;
  switch (delta.type) {
    case 'input_json_delta':
      growing.deltas += String(delta.partial_json);
      return true;
    case 'text_delta':
      return append(block, 'text', delta.text);
    case 'thinking_delta':
      return append(block, 'thinking', delta.thinking);
    case 'signature_delta':
      block.signature = delta.signature;
      return true;
    case 'citations_delta':
      block.citations = [...(Array.isArray(block.citations) ? (block.citations as unknown[]) : []), delta.citation];
      return true;
    case 'compaction_delta':
      for (const [name, value] of Object.entries(delta)) if (name !== 'type') block[name] = value;
      return true;
    default:
      return false;
  }
}

function append(block: JsonObject, name: string, more: unknown): boolean {
  if (typeof more !== 'string') return false;
  const before = block[name];
  block[name] = `${typeof before === 'string' ? before : ''}${more}`;
  return true;
}

/**
 * A block in a form that a request may contain. The input keeps the text the model wrote. An input that is not a JSON
 * object is wrapped as Anthropic's documentation of fine-grained tool streaming says, because the API accepts only
 * objects.
 */
function sendable(block: JsonObject, input: string | undefined): string {
  const { input: _, ...rest } = block;
  const text = JSON.stringify(rest);
  if (!('input' in block) && input === undefined) return text;
  const written = input?.trim() ?? '{}';
  const isSendable = isObject(parseWireJson(written)?.value);
  return `${text.slice(0, -1)},"input":${isSendable ? written : JSON.stringify({ INVALID_JSON: written })}}`;
}

/** Whether a text block is blank: the API refuses those. */
function isBlankText(block: JsonObject): boolean {
  return block.type === 'text' && (typeof block.text !== 'string' || block.text.trim() === '');
}

function stopOf(payload: JsonObject): string | undefined {
  return typeof payload.stop_reason === 'string' ? payload.stop_reason : undefined;
}

function containerOf(holder: JsonObject): string | undefined {
  const { container } = holder;
  return isObject(container) && typeof container.id === 'string' ? container.id : undefined;
}
