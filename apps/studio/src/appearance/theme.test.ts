import { act } from 'react';
import { expect, it, vi } from 'vitest';
import { memoryStorage } from '../assistant/fake-assistant-server.ts';
import { usePage } from '../testing/page.ts';
import { chooseTheme, currentTheme, useTheme } from './theme.ts';

const page = usePage();

it('applies and keeps a choice, and forgets it where the system decides', async () => {
  const storage = memoryStorage();
  vi.stubGlobal('localStorage', storage);
  const hook = await page.hook(useTheme);
  expect(hook.current).toBe('system');
  for (const theme of ['dark', 'light'] as const) {
    await act(async () => chooseTheme(theme));
    expect([hook.current, document.documentElement.dataset['theme'], storage.getItem('croft.theme')]).toEqual([
      theme,
      theme,
      theme,
    ]);
  }
  await act(async () => chooseTheme('system'));
  expect([hook.current, currentTheme(), storage.length]).toEqual(['system', 'system', 0]);
});

it('ignores another value of the page, and lasts until it is closed without a storage', () => {
  document.documentElement.dataset['theme'] = 'pink';
  expect(currentTheme()).toBe('system');
  vi.stubGlobal('localStorage', {
    setItem: () => {
      throw new DOMException('denied', 'SecurityError');
    },
  });
  chooseTheme('dark');
  expect(currentTheme()).toBe('dark');
});
