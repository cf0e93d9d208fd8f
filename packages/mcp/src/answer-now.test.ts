import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AnyTool, confirmDestructive, fixedWorkspace, makeToolset, READS } from '@croft/tools';
import { openWorkspace } from '@croft/workspace';
import { makeScratch } from '@croft/workspace/testing';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createShortcut, type Shortcut } from './answer-now.ts';

const scratch = makeScratch(['a.txt = one']);
const workspace = openWorkspace(scratch.workspace);
afterAll(() => {
  workspace.close();
  scratch.remove();
});

const request = (id: number, method: string, params: object): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params },
});
const read = (id: number, more: object = {}) =>
  request(id, 'tools/call', { name: 'read_file', arguments: { path: 'a.txt' }, ...more });
const write = (id: number, path = 'b.txt') =>
  request(id, 'tools/call', { name: 'write_file', arguments: { path, content: 'x' } });
const search = (id: number) => request(id, 'tools/call', { name: 'glob_search', arguments: { pattern: '*' } });
const answered = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: {} });

/** An initialized connection. */
function open(tools: readonly AnyTool[], capabilities: object = {}): Shortcut {
  const shortcut = createShortcut({ tools });
  shortcut.answer(request(0, 'initialize', { clientInfo: { name: 'test' }, capabilities }));
  shortcut.sent({ jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-06-18' } });
  return shortcut;
}

/** A tool that waits for `go`, reports progress, and then asks the person. */
function slowTool() {
  let go = (): void => {};
  const started = new Promise<void>((resolve) => (go = resolve));
  const state = {
    runs: 0,
    go: () => go(),
    tool: {
      name: 'slow',
      title: 'Slow',
      description: '',
      tags: ['slow'],
      input: z.strictObject({}),
      annotations: READS,
      async run(_, { confirm, onProgress, signal }) {
        state.runs++;
        await started;
        signal?.throwIfAborted();
        onProgress?.(7);
        return { ok: true, data: { allowed: await confirm?.('Go on?', 'token') } };
      },
    } as AnyTool,
  };
  return state;
}

describe('the short way of small calls', () => {
  let shortcut: Shortcut;
  beforeEach(() => {
    shortcut = createShortcut({ tools: makeToolset('full', fixedWorkspace(workspace)) });
    expect(shortcut.answer(request(0, 'initialize', { clientInfo: { name: 'test' } }))).toBeUndefined();
    shortcut.sent({ jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-06-18' } });
  });

  it('answers a read on an initialized connection of a 2025 version', () => {
    const answer = shortcut.answer(read(1));
    expect(JSON.stringify(answer && 'message' in answer && answer.message())).toContain('one');
  });
  it('leaves everything to the protocol library before the handshake', () => {
    const fresh = createShortcut({ tools: makeToolset('full', fixedWorkspace(workspace)) });
    expect(fresh.answer(read(1))).toBeUndefined();
    // Not a handshake: the request had another method.
    fresh.sent({ jsonrpc: '2.0', id: 1, result: { protocolVersion: '2025-06-18' } });
    expect(fresh.answer(read(2))).toBeUndefined();
  });
  it('answers writes and edits too', () => {
    expect(JSON.stringify(shortcut.answer(write(1)))).toContain('created');
    expect(readFileSync(join(scratch.workspace, 'b.txt'), 'utf8')).toBe('x');
    const edit = { name: 'edit_file', arguments: { path: 'b.txt', old_string: 'x', new_string: 'y' } };
    expect(JSON.stringify(shortcut.answer(request(2, 'tools/call', edit)))).toContain('-x');
    expect(readFileSync(join(scratch.workspace, 'b.txt'), 'utf8')).toBe('y');
  });
  it('answers nothing if the person must be asked', () => {
    const source = fixedWorkspace(workspace);
    const asking = createShortcut({ tools: confirmDestructive(makeToolset('full', source), source) });
    asking.answer(request(0, 'initialize', { clientInfo: { name: 'test' } }));
    asking.sent({ jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-06-18' } });
    expect(asking.answer(write(1, 'a.txt'))).toBeUndefined();
    expect(readFileSync(join(scratch.workspace, 'a.txt'), 'utf8')).not.toBe('x');
  });
  it('never overtakes a running request', () => {
    expect(shortcut.answer(search(1))).toBeUndefined();
    expect(shortcut.answer(read(2))).toBeUndefined();
    shortcut.sent(answered(1));
    expect(shortcut.answer(read(3))).toBeUndefined();
    shortcut.sent(answered(2));
    shortcut.sent(answered(3));
    expect(shortcut.answer(read(4))).toBeDefined();
  });
  it('continues after a cancelled request, which gets no response', () => {
    shortcut.answer(search(1));
    shortcut.answer({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(shortcut.answer(read(2))).toBeDefined();
  });
  it('begins a call that has to wait, and hands it to the protocol library once', async () => {
    const waiting = slowTool();
    const slow = open([waiting.tool], { elicitation: {} });
    expect(slow.answer(request(1, 'tools/call', { name: 'slow', arguments: {}, _meta: { progressToken: 't' } }))).toBe(
      undefined,
    );
    expect(waiting.runs).toBe(1);
    expect(slow.takeCall(2)).toBeUndefined();
    const progress: number[] = [];
    const result = slow.takeCall(1)?.join({
      onProgress: (seen) => void progress.push(seen),
      confirm: async (question) => question === 'Go on?',
    });
    expect(slow.takeCall(1)).toBeUndefined();
    waiting.go();
    expect(await result).toMatchObject({ ok: true, data: { allowed: true } });
    expect(progress).toEqual([7]);
    expect(waiting.runs).toBe(1);
  });
  it('cancels a call that began, before and after the library has it', async () => {
    for (const isTaken of [false, true]) {
      const slow = open([slowTool().tool]);
      slow.answer(request(1, 'tools/call', { name: 'slow', arguments: {} }));
      const ending = new AbortController();
      if (!isTaken) slow.answer({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
      const result = slow.takeCall(1)?.join({ signal: ending.signal });
      if (isTaken) ending.abort();
      expect(await result).toMatchObject({ ok: false, code: 'cancelled' });
    }
  });
  it('continues a call when another one is cancelled', async () => {
    const waiting = slowTool();
    const slow = open([waiting.tool]);
    slow.answer(request(1, 'tools/call', { name: 'slow', arguments: {} }));
    slow.answer({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
    const result = slow.takeCall(1)?.join({ confirm: async () => true });
    waiting.go();
    expect(await result).toMatchObject({ ok: true });
  });
  it('hands no call to a later request with the same id', () => {
    const slow = open([slowTool().tool]);
    slow.answer(request(1, 'tools/call', { name: 'slow', arguments: {} }));
    slow.sent(answered(1));
    slow.answer(request(1, 'tools/list', {}));
    expect(slow.takeCall(1)).toBeUndefined();
  });
  it('begins no call that the protocol library would refuse', () => {
    const waiting = slowTool();
    const slow = open([waiting.tool]);
    let id = 0;
    for (const params of [
      { name: 'slow', arguments: [] },
      { name: 'slow', arguments: {}, _meta: [] },
      { name: 'slow', arguments: {}, _meta: { progressToken: {} } },
      { name: 'slow', arguments: {}, _meta: { progressToken: 1.5 } },
      { name: 7 },
    ]) {
      expect(slow.answer(request(++id, 'tools/call', params)), JSON.stringify(params)).toBeUndefined();
      slow.sent(answered(id));
    }
    expect(waiting.runs).toBe(0);
  });
  it('leaves requests of version 2026-07-28, and requests with unknown fields, to the library', () => {
    expect(
      shortcut.answer(read(1, { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } })),
    ).toBeUndefined();
    shortcut.sent(answered(1));
    expect(shortcut.answer(read(2, { task: {} }))).toBeUndefined();
  });
});

describe('an answer written straight into the bytes that go out', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '\n',
      '\r\n',
      '\r',
      '\t',
      '"',
      '\\',
      '\b',
      '\f',
      '\u0001',
      '\u001f',
      '\u007f',
      '→',
      '😀',
      '\u2028',
      '',
    ),
    fc.string({ maxLength: 12 }),
  );
  const answerTo = (shortcut: Shortcut, id: number) => {
    const answer = shortcut.answer(read(id));
    if (!answer || !('write' in answer)) throw new Error('it went another way');
    return answer;
  };

  it('has the same bytes as the message', () => {
    const shortcut = open(makeToolset('full', fixedWorkspace(workspace)));
    const into = Buffer.alloc(256 * 1024);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        // A lone surrogate has no UTF-8 bytes.
        const text = Buffer.from(pieces.join('').replaceAll('\0', '')).toString();
        writeFileSync(join(scratch.workspace, 'a.txt'), text);
        const answer = answerTo(shortcut, 7);
        expect(into.toString('utf8', 3, answer.write(into, 3))).toBe(JSON.stringify(answer.message()));
      }),
      { numRuns: 300 },
    );
    writeFileSync(join(scratch.workspace, 'a.txt'), `${'x'.repeat(9_000)}\0\n`);
    const answer = answerTo(shortcut, 7);
    expect(into.toString('utf8', 0, answer.write(into, 0))).toBe(JSON.stringify(answer.message()));
  });

  it('is not used if it may not fit, or for more lines than are shown', () => {
    const shortcut = open(makeToolset('full', fixedWorkspace(workspace)));
    writeFileSync(join(scratch.workspace, 'a.txt'), '"\u0001\n'.repeat(2_000));
    const answer = answerTo(shortcut, 8);
    const whole = Buffer.from(JSON.stringify(answer.message()));
    expect(answer.write(Buffer.alloc(whole.length + 400), 0)).toBe(whole.length);
    for (let room = 0; room < whole.length; room += 997) {
      const into = Buffer.alloc(room + 1, 1);
      expect(answer.write(into.subarray(0, room), 0)).toBe(-1);
    }
    writeFileSync(join(scratch.workspace, 'a.txt'), 'x\n'.repeat(2_001));
    const long = shortcut.answer(read(9));
    expect(long).not.toHaveProperty('write');
    expect(JSON.stringify(long)).toContain('next_offset');
  });
});
