import { act } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { usePage } from '../testing/page.ts';
import { draftInput, isLiveText, useDraft } from './use-draft.ts';

const page = usePage();
afterEach(() => void vi.useRealTimers());

async function open(isLive?: (text: string) => boolean) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const commits: string[] = [];
  const shown = { value: 'old' };
  const hook = await page.hook(() => useDraft(shown.value, (text: string) => commits.push(text), isLive));
  const set = (text: string) => act(async () => hook.current.set(text));
  const pass = (ms: number) => act(async () => void vi.advanceTimersByTime(ms));
  return { hook, commits, shown, set, pass };
}

it('shows what is typed at once, and commits it after a pause', async () => {
  const { hook, commits, set, pass } = await open();
  await set('n');
  await pass(499);
  await set('ne');
  await pass(499);
  expect([hook.current.value, commits]).toEqual(['ne', []]);
  await pass(1);
  expect([hook.current.value, commits]).toEqual(['old', ['ne']]);
});

it('commits each key of a live text, and it once', async () => {
  const { hook, commits, set, pass } = await open((text) => text.length < 3);
  await set('a');
  await set('ab');
  expect([hook.current.value, commits]).toEqual(['ab', ['a', 'ab']]);
  await set('abc');
  expect(commits).toHaveLength(2);
  await pass(500);
  expect(commits).toEqual(['a', 'ab', 'abc']);
});

it('shows a value that changed elsewhere after the pause', async () => {
  const { hook, shown, set, pass } = await open(() => true);
  await set('mine');
  shown.value = 'theirs';
  hook.again();
  expect(hook.current.value).toBe('mine');
  await pass(500);
  expect(hook.current.value).toBe('theirs');
});

it('commits what waits when the control goes away, is left, or on Enter', async () => {
  const { hook, commits, set } = await open();
  await set('a');
  await act(async () => draftInput(hook.current).onBlur());
  await set('b');
  await act(async () => draftInput(hook.current).onKeyDown({ key: 'x' } as never));
  expect(commits).toEqual(['a']);
  await act(async () => draftInput(hook.current).onKeyDown({ key: 'Enter' } as never));
  await act(async () => draftInput(hook.current).onChange({ target: { value: 'c' } } as never));
  expect([commits, draftInput(hook.current).value]).toEqual([['a', 'b'], 'c']);
  hook.leave();
  expect(commits).toEqual(['a', 'b', 'c']);
});

it('commits a chosen value at once', async () => {
  const { hook, commits } = await open();
  await act(async () => hook.current.commit('picked'));
  expect([commits, hook.current.value]).toEqual([['picked'], 'old']);
});

it('commits each key of texts up to 2,000 characters', () => {
  expect([isLiveText('x'.repeat(2_000)), isLiveText('x'.repeat(2_001))]).toEqual([true, false]);
});
