import { describe, expect, it } from 'vitest';
import { startGuarded } from './fake-upstream.ts';
import { WIRES } from '../replies.mjs';

const CALL = { name: 'w', arguments: '{"path":"/etc/x"}' };

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const utf32 = (text: string) => Buffer.concat([...text].map((one) => Buffer.from([one.charCodeAt(0), 0, 0, 0])));
const bom = (bytes: Buffer, size: number) =>
  Buffer.concat([Buffer.from(size === 2 ? [0xff, 0xfe] : [0xff, 0xfe, 0, 0]), bytes]);

/** Encodings that a client would accept as the same JSON because it guesses the encoding or skips invalid bytes. */
const ENCODINGS: readonly (readonly [string, (text: string) => Buffer])[] = [
  ['UTF-16LE', utf16],
  ['UTF-16BE', (text) => utf16(text).swap16()],
  ['UTF-16LE after a BOM', (text) => bom(utf16(text), 2)],
  ['UTF-16BE after a BOM', (text) => bom(utf16(text), 2).swap16()],
  ['UTF-32LE', utf32],
  ['UTF-32BE', (text) => utf32(text).swap32()],
  ['UTF-32LE after a BOM', (text) => bom(utf32(text), 4)],
  [
    'no UTF-8 within its keys',
    (text) =>
      Buffer.from(
        text.replace(/tool|function/gi, (word) => `${word[0] ?? ''}\u00ff${word.slice(1)}`),
        'latin1',
      ),
  ],
];

async function ask(path: string, type: string, body: Buffer, isOn = true) {
  const pair = await startGuarded(isOn ? {} : { judgeFor: () => ({ judge: () => ({}) as never, enforce: false }) });
  try {
    pair.upstream.replies = [{ headers: { 'content-type': type }, body }];
    const reply = await fetch(pair.url + path, { method: 'POST', body: '{"model":"m"}' });
    return { status: reply.status, bytes: Buffer.from(await reply.arrayBuffer()) };
  } finally {
    await pair.close();
  }
}

describe.each(WIRES.map((wire) => [wire.name, wire] as const))('a reply of %s', (_, wire) => {
  it.each(ENCODINGS)('in one piece is stopped where its bytes are %s', async (_name, encode) => {
    const hidden = encode(wire.body(CALL) ?? '');
    const path = wire.path.replace(':streamGenerateContent?alt=sse', ':generateContent');
    const { status, bytes } = await ask(path, 'application/json', hidden);
    expect(status).toBe(502);
    expect(bytes.toString()).toContain('cannot be read for certain');
    expect((await ask(path, 'application/json', hidden, false)).bytes).toEqual(hidden);
  });

  it.each(ENCODINGS)('that is streamed is stopped where an event is %s', async (_name, encode) => {
    const events = (wire.stream(CALL) ?? '')
      .split(/(?<=data: )([^\n]*)/)
      .map((part, at) => (at % 2 === 1 ? encode(part) : Buffer.from(part)));
    const { bytes } = await ask(wire.path, 'text/event-stream', Buffer.concat(events));
    expect(bytes.toString('latin1').replaceAll('\0', '')).not.toContain('/etc/x');
  });

  it('in one piece is stopped if it has the type of a stream, of which its lines are comments', async () => {
    // Clients that did not ask for a stream parse the reply as JSON, whatever its type.
    const hidden = (wire.body(CALL) ?? '').replace('":', '"\n\n:');
    expect(JSON.parse(hidden)).toBeTruthy();
    const path = wire.path.replace(':streamGenerateContent?alt=sse', ':generateContent');
    expect((await ask(path, 'text/event-stream', Buffer.from(hidden))).bytes.toString()).not.toContain('/etc/x');
  });
});
