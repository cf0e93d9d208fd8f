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

it.each([
  ['<?xml version="1.0" encoding="ISO-8859-1"?><rss>', 'café'],
  ["\n<?xml version='1.0' encoding = 'windows-1252' ?><rss>", 'café'],
  ['<!doctype html><meta charset="iso-8859-1">', 'café'],
  ['<html><META\nCHARSET=latin1 ><p>', 'café'],
  ['<meta name="a"><meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">', 'café'],
  ["<meta content='text/html;charset=windows-1252' http-equiv='Content-Type'>", 'café'],
  ['<meta name="description" content="use charset=latin1">', 'caf\ufffd'],
  ['<?xml version="1.0"?><rss encoding="latin1">', 'caf\ufffd'],
  ['<meta charset="utf-16">', 'caf\ufffd'],
  ['<meta charset="unknown">', 'caf\ufffd'],
  [`<title>${' '.repeat(1_024)}</title><meta charset="latin1">`, 'caf\ufffd'],
  ['{"page":"<meta charset=latin1>"}', 'caf\ufffd'],
  ['\xef\xbb\xbf<?xml version="1.0" encoding="latin1"?>', 'caf\ufffd'],
])('decodes a body without a charset of the response by its own: %j', (head, end) => {
  const body = Buffer.from(`${head}caf\xe9`, 'latin1');
  expect(decodeBody(body, 'text/html').slice(-4)).toBe(end);
  expect(decodeBody(Buffer.from(`${head}café`), 'text/html; charset=utf-8').endsWith('café')).toBe(true);
});
