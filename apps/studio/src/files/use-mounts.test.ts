import { describe, expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { audienceOf, isFixed, mountOf, noteOf, useMounts } from './use-mounts.ts';

const server = useFakeApi();
const page = usePage();

const shared = { name: 'shared' as const, readOnly: true, hidesEntry: false };
const mine = { name: 'mine' as const, readOnly: false, hidesEntry: false };

describe('mounts', () => {
  it('hold what is below their name, and nothing that only begins with it', () => {
    expect(mountOf([shared], 'shared/a/b.txt')).toBe(shared);
    expect(mountOf([shared], 'shared')).toBe(shared);
    expect(mountOf([shared], 'shared-notes/a.txt')).toBeUndefined();
  });

  it('cannot be renamed or deleted, nor what is in a read-only one', () => {
    expect([isFixed([mine], 'mine'), isFixed([mine], 'mine/a.txt'), isFixed([mine], 'a.txt')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(isFixed([shared], 'shared/a.txt')).toBe(true);
  });

  it('change who sees the files', () => {
    expect(audienceOf(true, [mine])).toContain('mine/ holds your own files');
    expect(audienceOf(false, [])).toContain('Only you and your agents');
    expect(audienceOf(false, [shared])).toContain('Other users see only shared/');
  });
});

it('has a word about each mount', () => {
  const readOnly = { ...mine, readOnly: true };
  expect([shared, { ...shared, readOnly: false }, mine, readOnly].map(noteOf)).toEqual([
    'All users, read-only',
    'All users',
    'Your own',
    'Your own, read-only',
  ]);
});

it('says whose files these are', () => {
  const texts = [true, false].flatMap((autoLogin) => [[], [mine]].map((mounts) => audienceOf(autoLogin, mounts)));
  expect(texts).toEqual([
    'Your agents work in these files, over MCP and REST.',
    'Your agents work in these files, over MCP and REST. mine/ holds your own files.',
    'Only you and your agents see these files.',
    'You and your agents see these files. Other users see only mine/.',
  ]);
});

it('reads the mounts with the top of the tree', async () => {
  server.answer('GET /api/v1/files', { entries: [], truncated: false, mounts: [mine] });
  const client = testClient();
  const mounts = await page.hook(useMounts, inClient(client));
  await vi.waitFor(() => expect(mounts.current).toEqual([mine]));
  server.answer('GET /api/v1/files', refusal(500, 'broken'));
  const failed = await page.hook(useMounts, inClient(testClient()));
  await vi.waitFor(() => expect(server.requests).toHaveLength(2));
  expect(failed.current).toEqual([]);
});
