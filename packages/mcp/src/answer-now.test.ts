import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { confirmDestructive, fixedWorkspace, makeToolset } from '@croft/tools';
import { openWorkspace } from '@croft/workspace';
import { makeScratch } from '@croft/workspace/testing';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
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

describe('the short way of small reads', () => {
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
  const open = () => {
    const shortcut = createShortcut({ tools: makeToolset('full', fixedWorkspace(workspace)) });
    shortcut.answer(request(0, 'initialize', { clientInfo: { name: 'test' } }));
    shortcut.sent({ jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-06-18' } });
    return shortcut;
  };
  const answerTo = (shortcut: Shortcut, id: number) => {
    const answer = shortcut.answer(read(id));
    if (!answer || !('write' in answer)) throw new Error('it went another way');
    return answer;
  };

  it('has the same bytes as the message', () => {
    const shortcut = open();
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
    const shortcut = open();
    writeFileSync(join(scratch.workspace, 'a.txt'), '"\u0001\n'.repeat(2_000));
    const answer = answerTo(shortcut, 8);
    const whole = Buffer.from(JSON.stringify(answer.message()));
    expect(answer.write(Buffer.alloc(whole.length + 400), 0)).toBe(whole.length);
    for (let room = 0; room < whole.length; room += 997) {
      const into = Buffer.alloc(room + 1, 1);
      expect(answer.write(into.subarray(0, room), 0)).toBe(-1);
    }
    writeFileSync(join(scratch.workspace, 'a.txt'), 'x\n'.repeat(2_001));
    const long = answerTo(shortcut, 9);
    expect(long.write(Buffer.alloc(1 << 20), 0)).toBe(-1);
    expect(JSON.stringify(long.message())).toContain('next_offset');
  });
});
