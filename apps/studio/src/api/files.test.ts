import { expect, it } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { useFakeUploads } from '../testing/fake-upload.ts';
import { testClient } from '../testing/queries.ts';
import {
  contentUrl,
  deleteFiles,
  folderPages,
  listingQuery,
  makeFolder,
  makeTextFile,
  moveFile,
  readTextFile,
  saveTextFile,
  searchQuery,
  sizeQuery,
  textQuery,
  undoChange,
  usageQuery,
} from './files.ts';

const server = useFakeApi();
const uploads = useFakeUploads();
const { signal } = new AbortController();
const sent = () => uploads.at(-1) as NonNullable<(typeof uploads)[number]>;

it('creates, moves and deletes by the paths that it was given', async () => {
  for (const each of ['mkdir', 'move', 'delete', 'undo']) server.answer(`POST /api/v1/files/${each}`, {});
  await makeFolder('a');
  await moveFile('a', 'b');
  await deleteFiles(['b', 'c'], false);
  await deleteFiles(['d'], true);
  await undoChange('u1');
  expect(server.requests).toEqual([
    'POST /api/v1/files/mkdir {"path":"a"}',
    'POST /api/v1/files/move {"from":"a","to":"b"}',
    'POST /api/v1/files/delete {"paths":["b","c"],"permanent":false}',
    'POST /api/v1/files/delete {"paths":["d"],"permanent":true}',
    'POST /api/v1/files/undo {"undo":"u1"}',
  ]);
});

it('creates a text file without replacing one', async () => {
  const done = makeTextFile('n.txt', 'text');
  expect(new URL(sent().url).search).toBe('?path=n.txt&overwrite=0&permanent=0');
  expect(await sent().body?.text()).toBe('text');
  sent().end(201, '{}');
  await done;
});

it('saves a text in place of the one that was read, into the trash', async () => {
  const done = saveTextFile('n.txt', 'next', '"t"');
  expect(new URL(sent().url).search).toBe('?path=n.txt&overwrite=1&permanent=0&by=editor');
  expect([sent().headers['If-Match'], await sent().body?.text()]).toEqual(['"t"', 'next']);
  sent().end(200, '{}');
  await done;
});

it('reads a text with its tag and its byte order mark', async () => {
  server.answer('GET /api/v1/files/content?path=n.txt', new Response('\ufeffä', { headers: { ETag: '"t"' } }));
  expect(await readTextFile('n.txt', signal)).toEqual({ text: '\ufeffä', tag: '"t"' });
  server.answer('GET /api/v1/files/content?path=n.txt', new Response(''));
  expect(await readTextFile('n.txt', signal)).toEqual({ text: '', tag: '' });
});

it.each([
  ['bytes that are not UTF-8', new Uint8Array([0xc3, 0x28])],
  ['a text with a NUL', 'a\0b'],
])('does not edit %s', async (_, body) => {
  server.answer('GET /api/v1/files/content', new Response(body));
  await expect(readTextFile('x', signal)).rejects.toMatchObject({ code: 'not_text' });
});

it.each([
  ['text/plain; charset=utf-8', undefined, 'the text'],
  ['text/plain', 'attachment; filename=x', undefined],
  ['image/png', undefined, undefined],
])('of %s with the disposition %s previews %s', async (type, disposition, text) => {
  const headers = { 'Content-Type': type, ...(disposition && { 'Content-Disposition': disposition }) };
  server.answer('GET /api/v1/files/content?path=x', new Response('the text', { headers }));
  const found = testClient().fetchQuery(textQuery('x', 'v1', 99));
  await (text === undefined
    ? expect(found).rejects.toMatchObject({ code: 'not_text' })
    : expect(found).resolves.toEqual({ text }));
});

it('reads the lines at the beginning of a text that has more bytes than asked for', async () => {
  const read = async (text: string, maxBytes: number) => {
    const bytes = new TextEncoder().encode(text);
    let sent = 0;
    const chunks = new ReadableStream<Uint8Array>(
      { pull: (controller) => controller.enqueue(bytes.subarray(sent, (sent += 3))) },
      { highWaterMark: 0 },
    );
    const headers = { 'Content-Type': 'text/plain', 'Content-Length': `${bytes.length}` };
    const answer = new Response(bytes.length > maxBytes ? chunks : text, { headers });
    server.answer('GET /api/v1/files/content?path=x', answer);
    return [await testClient().fetchQuery(textQuery('x', 'v1', maxBytes)), sent];
  };
  expect(await read('one\ntwo\nthree', 9)).toEqual([{ text: 'one\ntwo\n', cutFrom: 13 }, 9]);
  expect(await read('one\ntwo\nthree', 13)).toEqual([{ text: 'one\ntwo\nthree' }, 0]);
  // The rest of a line that does not end, without a part of a character.
  expect(await read('aé and more', 2)).toEqual([{ text: 'a', cutFrom: 12 }, 3]);
});

it('asks for the size of a file without its bytes', async () => {
  server.answer('HEAD /api/v1/files/content?path=x', new Response(null, { headers: { 'Content-Length': '12' } }));
  expect(await testClient().fetchQuery(sizeQuery('x'))).toBe(12);
});

it('reads a folder page by page in the order that is asked for', async () => {
  server.answer('GET /api/v1/files?path=d&sort=size&order=desc', { entries: [], mounts: [], nextCursor: 'c2' });
  server.answer('GET /api/v1/files?path=d&sort=size&order=desc&cursor=c2', { entries: [], mounts: [] });
  const query = folderPages('d', { by: 'size', descending: true });
  const { pages } = await testClient().fetchInfiniteQuery({ ...query, pages: 3 });
  expect(pages).toHaveLength(2);
  server.answer('GET /api/v1/files?path=d&sort=name&order=asc', { entries: [], mounts: [] });
  await testClient().fetchInfiniteQuery(folderPages('d', { by: 'name', descending: false }));
  expect(server.requests).toHaveLength(3);
});

it('asks for a folder, the use of space, and a search', async () => {
  server.answer('GET /api/v1/files', {});
  server.answer('GET /api/v1/files/usage', {});
  server.answer('GET /api/v1/files/search', {});
  const client = testClient();
  await client.fetchQuery(listingQuery('d'));
  await client.fetchQuery(usageQuery('d'));
  await client.fetchQuery(searchQuery('q', 'content'));
  expect(server.requests).toEqual([
    'GET /api/v1/files?path=d',
    'GET /api/v1/files/usage?path=d',
    'GET /api/v1/files/search?q=q&in=content',
  ]);
  expect([searchQuery('', 'name').enabled, searchQuery('q', 'name').enabled]).toEqual([false, true]);
});

it('has another entry in the cache for each folder, order, file and version, all below the key of files', () => {
  const order = { by: 'name', descending: false } as const;
  const keys = [
    listingQuery('a'),
    listingQuery('b'),
    usageQuery('a'),
    usageQuery('b'),
    folderPages('a', order),
    folderPages('b', order),
    folderPages('a', { ...order, descending: true }),
    folderPages('a', { ...order, by: 'size' }),
    searchQuery('a', 'name'),
    searchQuery('b', 'name'),
    searchQuery('a', 'content'),
    sizeQuery('a'),
    sizeQuery('b'),
    textQuery('a', '1', 9),
    textQuery('a', '2', 9),
    textQuery('b', '1', 9),
  ].map(({ queryKey }) => queryKey as readonly unknown[]);
  expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(keys.length);
  expect(keys.every(([first]) => first === 'files')).toBe(true);
});

it('has an address to look at a file and one to save it', () => {
  expect(contentUrl('a b')).toBe('http://croft.test/base/api/v1/files/content?path=a+b');
  expect(contentUrl('a', { download: true })).toMatch(/\?path=a&download=1$/);
});
