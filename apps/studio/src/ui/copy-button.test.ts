import { act, createElement } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, usePage } from '../testing/page.ts';
import { CopyButton } from './copy-button.tsx';

const page = usePage();
afterEach(() => void vi.useRealTimers());

async function show(props: Partial<Parameters<typeof CopyButton>[0]>, isRefused = false, execCommand = () => false) {
  Object.assign(document, { execCommand });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const written: string[] = [];
  const writeText = async (text: string) => {
    if (isRefused) throw new DOMException('denied', 'NotAllowedError');
    written.push(text);
  };
  vi.stubGlobal('navigator', { userAgent: '', clipboard: { writeText } });
  const box = await page.show(createElement(CopyButton, { text: 'secret', ...props }));
  const button = box.querySelector('button') as HTMLButtonElement;
  const pass = (ms: number) => act(async () => void vi.advanceTimersByTime(ms));
  return { written, button, pass, press: () => fire(button, 'click') };
}

it('copies the text, and says so for two seconds', async () => {
  const { written, button, pass, press } = await show({ label: 'Copy key' });
  expect(button.textContent).toBe('Copy key');
  await press();
  expect([written, button.textContent]).toEqual([['secret'], 'Copied']);
  await pass(1_999);
  expect(button.textContent).toBe('Copied');
  await pass(1);
  expect(button.textContent).toBe('Copy key');
});

it('copies what it is given when it is pressed', async () => {
  const { written, press } = await show({ text: () => Promise.resolve('fresh') });
  await press();
  expect(written).toEqual(['fresh']);
});

it('lets the text be selected where the browser refuses, and claims no copy', async () => {
  const onRefused = vi.fn();
  const { button, press } = await show({ onRefused }, true);
  await press();
  expect([button.textContent, onRefused.mock.calls.length]).toEqual(['Selected', 1]);
  const failed = await show({ text: () => Promise.reject(new Error('no token')) });
  await failed.press();
  expect([failed.button.textContent, failed.written]).toEqual(['Not copied', []]);
});

it('says that nothing is copied where the text is not selected', async () => {
  const { button, press } = await show({}, true);
  await press();
  expect(button.textContent).toBe('Not copied');
});

it('copies by a field beside it where the page has no clipboard', async () => {
  const fields: (string | undefined)[] = [];
  const { button, press } = await show({}, true, () => {
    const field = document.querySelector('textarea');
    fields.push(field?.value, field?.parentElement?.localName);
    return true;
  });
  await press();
  expect([button.textContent, fields]).toEqual(['Copied', ['secret', button.parentElement?.localName]]);
  expect(document.querySelector('textarea')).toBeNull();
});

it('has the focus of its dialog only where that is asked for', async () => {
  expect((await show({ first: true })).button.hasAttribute('data-first')).toBe(true);
  expect((await show({})).button.hasAttribute('data-first')).toBe(false);
});

it('is busy while the text is made, and offers to copy again two seconds after a refusal', async () => {
  let give = (_text: string): void => undefined;
  const text = new Promise<string>((resolve) => {
    give = resolve;
  });
  const { button, press, pass } = await show({ text: () => text, label: 'Copy token' }, true);
  await press();
  await pass(2_000);
  expect([button.getAttribute('aria-busy'), button.textContent]).toEqual(['true', 'Copy tokenWorking']);
  await act(async () => give('x'));
  expect([button.getAttribute('aria-busy'), button.textContent]).toEqual([null, 'Not copied']);
  await pass(2_000);
  expect(button.textContent).toBe('Copy token');
});

it('has an icon for its state, and the name Copy unless it has another', async () => {
  const { button, press } = await show({});
  await expect.poll(() => outline(button)).toEqual(['span Copy', 'icon copy 16']);
  expect(button.getAttribute('aria-live')).toBe('polite');
  await press();
  await expect.poll(() => outline(button)).toEqual(['span Copied', 'icon check 16']);
});
