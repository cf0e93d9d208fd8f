import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { fire, named, usePage } from '../testing/page.ts';
import { WebhookSecret } from './webhook-secret.tsx';

const page = usePage();

it('shows the secret with a request that uses it', async () => {
  const onClose = vi.fn();
  const props = { address: 'https://croft.test/hooks/1', secret: 's3', onClose };
  const box = await page.show(createElement(WebhookSecret, props));
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
