import { expect, it, vi } from 'vitest';
import { usePage } from '../testing/page.ts';
import { useKeptText } from './use-kept-text.ts';

const page = usePage();

it('hands on a changed text once', async () => {
  const onText = vi.fn();
  const { current } = await page.hook(() => useKeptText('old', onText));
  current.keep();
  current.written.current = 'new';
  current.keep();
  current.keep();
  expect(onText.mock.calls).toEqual([['new']]);
});

it('hands it on, to the newest listener, when the field goes away without a blur', async () => {
  const calls: string[] = [];
  let listener = 'first';
  const hook = await page.hook(() => {
    const name = listener;
    return useKeptText('old', (text) => calls.push(`${name} ${text}`));
  });
  listener = 'second';
  hook.again();
  hook.current.written.current = 'new';
  hook.leave();
  expect(calls).toEqual(['second new']);
});
