import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { WebhookSecret } from './webhook-secret.tsx';

const page = usePage();

it('shows the secret with a request that uses it', async () => {
  const onClose = vi.fn();
  const props = { address: 'https://croft.test/hooks/1', secret: 's3', onClose };
  const box = await page.show(createElement(WebhookSecret, props));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-describedby=#1-about][aria-labelledby=#1]',
      'h2#1 Copy the secret now',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'p#1-about The server shows it only once. The other system sends it with each request, or signs the request with it.',
      'p[aria-label=The secret][role=region][tabindex=0] s3',
      'section[aria-label=Try it]',
      'h3 Try it',
      'pre[role=group][aria-label=Command that sends a request]',
      "code curl https://croft.test/hooks/1 -H 'Authorization: Bearer s3' -H 'Content-Type: application/json' -d '{\"order\": 7}'",
      'span[aria-hidden=true] $',
      'button[aria-live=polite][type=button]',
      'span Copy',
      'icon copy 16',
      'button[data-first=true][aria-live=polite][type=button]',
      'span Copy secret',
      'icon copy 16',
      'button[type=button]',
      'span Done',
    ]);
  expect(box.querySelector('h2')?.textContent).toBe('Copy the secret now');
  expect(box.textContent).toContain(
    'The server shows it only once. The other system sends it with each request, or signs the request with it.',
  );
  expect(box.querySelector('[role=region]')?.textContent).toBe('s3');
  expect(box.querySelector('details')).toBeNull();
  expect([box.querySelector('h3')?.textContent, box.querySelector('pre')?.getAttribute('aria-label')]).toEqual([
    'Try it',
    'Command that sends a request',
  ]);
  expect(box.querySelector('code')?.textContent).toBe(
    `$ curl https://croft.test/hooks/1 -H 'Authorization: Bearer s3' -H 'Content-Type: application/json' -d '{"order": 7}'`,
  );
  const writeText = vi.fn(async () => undefined);
  vi.stubGlobal('navigator', { userAgent: '', clipboard: { writeText } });
  await fire(named(box, 'Copy'), 'click');
  expect(writeText.mock.calls).toEqual([[expect.stringMatching(/^curl https:.*s3/)]]);
  await fire(named(box, 'Done'), 'click');
  expect(onClose).toHaveBeenCalledOnce();
});
