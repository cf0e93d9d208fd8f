import { describe, expect, it } from 'vitest';
import {
  announcedToolSchema,
  createLinkSchema,
  CROFT_PROTOCOL,
  FRAME_LIMITS,
  initReplySchema,
  initSchema,
  KEY_HEADER,
  PATHS,
  PREFIXES,
  serverFrameSchema,
  TIMES,
  toggleSchema,
  treeUpdateSchema,
  unreadInitSchema,
  unreadTreeUpdateSchema,
} from './frames.ts';

const entry = { path: 'a', type: 'file', sizeBytes: 1 };
const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

describe('init', () => {
  it.each([{ tree: [entry], treeText: 'a' }, { treeText: 'a' }, { tools: [] }])(
    'has one of its descriptions: %j',
    (more) => {
      expect(accepts(initSchema, { rootPath: '/p', ...more })).toBe(true);
    },
  );

  it('without a description has no dialect', () => {
    expect(initSchema.safeParse({ rootPath: '/p' }).error?.issues[0]?.message).toBe(
      'needs `tree` and `treeText`, or `tools`',
    );
    expect(accepts(initSchema, { tree: [] })).toBe(false);
  });

  it('is bounded in each of its lists and texts', () => {
    const base = { rootPath: '/p', tools: [] };
    const croft = (more: object) => ({ ...base, croft: { version: '1', protocol: 1, tools: [], ...more } });
    const over = [
      { ...base, rootPath: 'p'.repeat(FRAME_LIMITS.maxPathChars + 1) },
      { ...base, hostIdentifier: 'h'.repeat(FRAME_LIMITS.maxHostChars + 1) },
      { ...base, tools: Array(1_001).fill({}) },
      { ...base, toolCategories: Array(51).fill({ name: 'a', enabled: true }) },
      { ...base, toolCategories: [{ name: 'n'.repeat(65), enabled: true }] },
      croft({ protocol: 2 }),
      croft({ version: 'v'.repeat(65) }),
      croft({ tools: ['t'.repeat(65)] }),
      croft({ tools: Array(201).fill('t') }),
    ];
    for (const [i, body] of over.entries()) expect(accepts(initSchema, body), `${i}`).toBe(false);
    const full = croft({ tools: Array(200).fill('t'.repeat(64)), version: 'v'.repeat(64), answersPings: true });
    expect(accepts(initSchema, { ...full, rootPath: 'p'.repeat(4_096), hostIdentifier: 'h'.repeat(256) })).toBe(true);
  });

  it('is first read without a look at the entries of its tree', () => {
    const body = { rootPath: '/p', tree: [{ path: 1 }] };
    expect([accepts(unreadInitSchema, body), accepts(initSchema, body)]).toEqual([true, false]);
    expect(accepts(unreadInitSchema, { rootPath: '/p', tree: Array(100_001).fill(0) })).toBe(false);
  });
});

it('takes a tree of files and directories with whole sizes', () => {
  const tree = (...entries: object[]) => accepts(treeUpdateSchema, { rootPath: '/p', tree: entries });
  expect(tree(entry, { path: 'd', type: 'directory' })).toBe(true);
  for (const bad of [{ type: 'link' }, { sizeBytes: -1 }, { sizeBytes: 0.5 }, { path: 'p'.repeat(4_097) }])
    expect(tree({ ...entry, ...bad }), JSON.stringify(bad)).toBe(false);
});

it('reads the frames of a server, and ignores unknown fields', () => {
  const read = (frame: object) => serverFrameSchema.safeParse(frame);
  const request = (payload: object) => read({ type: 'filesystem-request', payload });
  const call = request({ requestId: 'r', toolCall: { name: 'x' }, more: 1 });
  expect(call.data).toEqual({
    type: 'filesystem-request',
    payload: { requestId: 'r', toolCall: { name: 'x', arguments: {} } },
  });
  expect([request({ requestId: '' }).success, request({ requestId: 'r'.repeat(65) }).success]).toEqual([false, false]);
  expect(read({ type: 'gateway-disconnect' }).success).toBe(true);
  expect(read({ type: 'other' }).success).toBe(false);
});

it('has these limits and durations, which other clients rely on', () => {
  const shown = (numbers: object) =>
    Object.entries(numbers).map(([name, value]) => `${name} ${value.toLocaleString('en')}`);
  expect(shown(FRAME_LIMITS)).toEqual([
    'maxBodyBytes 16,777,216',
    'maxKeyChars 256',
    'maxRequestIdChars 64',
    'maxPathChars 4,096',
    'maxTreeEntries 10,000',
    'maxTreeEntriesSent 100,000',
    'maxHostChars 256',
    'maxCategories 50',
    'maxTools 200',
    'maxToolNameChars 64',
    'maxToolDescriptionChars 2,048',
    'maxToolSchemaBytes 65,536',
    'maxErrorChars 8,192',
    'maxContentBlocks 200',
  ]);
  expect(shown(TIMES)).toEqual([
    'pairingMs 300,000',
    'callTimeoutMs 30,000',
    'pingMs 15,000',
    'idleMs 2,592,000,000',
    'retryMs 1,000',
    'maxRetryMs 30,000',
  ]);
});

it('has these addresses, header and version, which other clients rely on', () => {
  expect({ PREFIXES, KEY_HEADER, CROFT_PROTOCOL }).toEqual({
    PREFIXES: ['/instance-ai', '/rest/instance-ai'],
    KEY_HEADER: 'x-gateway-key',
    CROFT_PROTOCOL: 1,
  });
  expect(Object.entries(PATHS).map((row) => row.join(' '))).toEqual([
    'createLink /gateway/create-link',
    'init /gateway/init',
    'events /gateway/events',
    'response /gateway/response',
    'status /gateway/status',
    'disconnect /gateway/disconnect',
    'disconnectSession /gateway/disconnect-session',
    'tree /gateway/tree',
    'alive /gateway/alive',
    'toggle /filesystem/toggle',
  ]);
});

it('keeps each field of a complete init, and checks its type', () => {
  const full = {
    rootPath: '/p',
    treeText: 'a',
    treeTruncated: true,
    tree: [{ path: 'a', type: 'directory' }, entry],
    tools: [1],
    hostIdentifier: 'host',
    toolCategories: [{ name: 'files', enabled: true, writeAccess: false }],
    croft: { version: '1', protocol: 1, tools: ['a'], answersPings: true },
  };
  expect(initSchema.parse({ ...full, unknown: 1 })).toEqual(full);
  expect(unreadInitSchema.parse(full)).toEqual(full);
  for (const key of Object.keys(full))
    expect(accepts(initSchema, { ...full, [key]: Symbol('wrong') }), key).toBe(false);
  for (const wrong of [{ name: 1 }, { enabled: 1 }, { writeAccess: 1 }])
    expect(accepts(initSchema, { ...full, toolCategories: [{ ...full.toolCategories[0], ...wrong }] })).toBe(false);
  expect(accepts(initSchema, { ...full, croft: { ...full.croft, answersPings: 1 } })).toBe(false);
});

it('keeps the fields of replies and small bodies, and checks their types', () => {
  const update = { rootPath: '/p', tree: [entry], treeText: 'a', treeTruncated: false };
  expect(treeUpdateSchema.parse({ ...update, more: 1 })).toEqual(update);
  expect(unreadTreeUpdateSchema.parse({ ...update, tree: [1] })).toEqual({ ...update, tree: [1] });
  expect(accepts(treeUpdateSchema, { rootPath: '/p' })).toBe(false);
  const reply = { ok: true, sessionKey: 'k'.repeat(256), croft: { protocol: 1, more: 2 }, more: 3 };
  expect(initReplySchema.parse(reply)).toEqual(reply);
  for (const wrong of [{ ok: false }, { sessionKey: 'k'.repeat(257) }, { croft: {} }, { croft: { protocol: '1' } }])
    expect(accepts(initReplySchema, { ...reply, ...wrong }), JSON.stringify(wrong)).toBe(false);
  expect([createLinkSchema.parse({ renew: true }), toggleSchema.parse({ enabled: false })]).toEqual([
    { renew: true },
    { enabled: false },
  ]);
  expect([accepts(createLinkSchema, { renew: 1 }), accepts(toggleSchema, { enabled: 1 })]).toEqual([false, false]);
  const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];
  const tool = {
    name: 'a',
    title: 't',
    description: 'd',
    inputSchema: { type: 'object' },
    annotations: { title: 't', category: 'c', more: 1, ...Object.fromEntries(hints.map((hint) => [hint, true])) },
    more: 2,
  };
  expect(announcedToolSchema.parse(tool)).toEqual(tool);
  for (const key of ['name', 'title', 'description', 'inputSchema', 'annotations'])
    expect(accepts(announcedToolSchema, { ...tool, [key]: 1 }), key).toBe(false);
  for (const key of ['title', 'category', ...hints])
    expect(accepts(announcedToolSchema, { ...tool, annotations: { [key]: 1 } }), key).toBe(false);
  expect(accepts(announcedToolSchema, { name: 'a' })).toBe(true);
});

it('keeps the fields of each frame of a server', () => {
  const frames = [
    {
      type: 'filesystem-request',
      payload: { requestId: 'r'.repeat(64), deadlineMs: 5, operation: 'read', args: { a: 1 } },
    },
    {
      type: 'filesystem-request',
      payload: { requestId: 'r', toolCall: { name: 'x', arguments: { a: [1] } } },
    },
    { type: 'filesystem-cancel', payload: { requestId: 'r' } },
    { type: 'gateway-disconnect', payload: { reason: 'superseded', more: 1 } },
    { type: 'ping', answer: true },
    { type: 'ping' },
  ];
  for (const frame of frames) expect(serverFrameSchema.parse(frame)).toEqual(frame);
  for (const wrong of [
    { type: 'filesystem-request', payload: { requestId: 'r', deadlineMs: '5' } },
    { type: 'filesystem-request', payload: { requestId: 'r', operation: 1 } },
    { type: 'filesystem-request', payload: { requestId: 'r', args: 1 } },
    { type: 'filesystem-request', payload: { requestId: 'r', toolCall: {} } },
    { type: 'filesystem-cancel', payload: {} },
    { type: 'gateway-disconnect', payload: { reason: 1 } },
    { type: 'ping', answer: 1 },
  ])
    expect(accepts(serverFrameSchema, wrong), JSON.stringify(wrong)).toBe(false);
});
