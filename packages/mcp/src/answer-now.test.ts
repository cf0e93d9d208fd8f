import { fixedWorkspace, makeToolset } from '@croft/tools';
import { openWorkspace } from '@croft/workspace';
import { makeScratch } from '@croft/workspace/testing';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
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
const write = (id: number) =>
  request(id, 'tools/call', { name: 'write_file', arguments: { path: 'b.txt', content: 'x' } });
const answered = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: {} });

describe('the short way of small reads', () => {
  let shortcut: Shortcut;
  beforeEach(() => {
    shortcut = createShortcut({ tools: makeToolset('full', fixedWorkspace(workspace)) });
    expect(shortcut.answer(request(0, 'initialize', { clientInfo: { name: 'test' } }))).toBeUndefined();
    shortcut.sent({ jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-06-18' } });
  });

  it('answers a read on an open connection of the older era', () => {
    expect(JSON.stringify(shortcut.answer(read(1)))).toContain('one');
  });
  it('leaves everything to the protocol layer before the connection is open', () => {
    const fresh = createShortcut({ tools: makeToolset('full', fixedWorkspace(workspace)) });
    expect(fresh.answer(read(1))).toBeUndefined();
  });
  it('never overtakes a request that is under way', () => {
    expect(shortcut.answer(write(1))).toBeUndefined();
    expect(shortcut.answer(read(2))).toBeUndefined();
    shortcut.sent(answered(1));
    expect(shortcut.answer(read(3))).toBeUndefined();
    shortcut.sent(answered(2));
    shortcut.sent(answered(3));
    expect(shortcut.answer(read(4))).toBeDefined();
  });
  it('goes on after a request was cancelled, which is never answered', () => {
    shortcut.answer(write(1));
    shortcut.answer({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(shortcut.answer(read(2))).toBeDefined();
  });
  it('leaves requests of the modern era and with anything unknown in them alone', () => {
    expect(
      shortcut.answer(read(1, { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } })),
    ).toBeUndefined();
    shortcut.sent(answered(1));
    expect(shortcut.answer(read(2, { task: {} }))).toBeUndefined();
  });
});
