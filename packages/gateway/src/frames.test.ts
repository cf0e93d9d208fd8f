import { describe, expect, it } from 'vitest';
import { FRAME_LIMITS, initSchema, serverFrameSchema, TIMES, treeUpdateSchema, unreadInitSchema } from './frames.ts';

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
  expect(FRAME_LIMITS).toEqual({
    maxBodyBytes: 16_777_216,
    maxKeyChars: 256,
    maxRequestIdChars: 64,
    maxPathChars: 4_096,
    maxTreeEntries: 10_000,
    maxTreeEntriesSent: 100_000,
    maxHostChars: 256,
    maxCategories: 50,
    maxTools: 200,
    maxToolNameChars: 64,
    maxToolDescriptionChars: 2_048,
    maxToolSchemaBytes: 65_536,
    maxErrorChars: 8_192,
    maxContentBlocks: 200,
  });
  expect(TIMES).toEqual({
    pairingMs: 300_000,
    callTimeoutMs: 30_000,
    pingMs: 15_000,
    idleMs: 2_592_000_000,
    retryMs: 1_000,
    maxRetryMs: 30_000,
  });
});
