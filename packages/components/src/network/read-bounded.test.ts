import { expect, it } from 'vitest';
import { decodeBody, readBounded } from './read-bounded.ts';

it('reads a body up to its bound, and cancels the rest of a longer one', async () => {
  expect((await readBounded(new Response('12345'), 5)).toString()).toBe('12345');
  expect((await readBounded(new Response(null), 5)).length).toBe(0);
  let cancelled = false;
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(3)),
    cancel: () => void (cancelled = true),
  });
  await expect(readBounded(new Response(endless), 5)).rejects.toMatchObject({
    code: 'too_large',
    message: 'The response has more than 5 bytes.',
  });
  expect(cancelled).toBe(true);
});

it('decodes a body by the charset that the response names', () => {
  const latin1 = Buffer.from('caf\xe9', 'latin1');
  expect(decodeBody(latin1, 'text/html; charset="ISO-8859-1"; x')).toBe('café');
  expect(decodeBody(Buffer.from('café'), null)).toBe('café');
  expect(decodeBody(Buffer.from('café'), 'text/html; charset=unknown')).toBe('café');
});
