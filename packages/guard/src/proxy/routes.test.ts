import { expect, it } from 'vitest';
import { comparablePath, passPattern, routeOf } from './routes.ts';
import { openaiChat } from '../wire/openai-chat/openai-chat.ts';

const kind = (method: string, url: string, pass: RegExp[] = []) => routeOf(method, url, [openaiChat], pass).kind;

it.each([
  '/v1/chat/completions',
  '/api/v1/chat/completions?x=1',
  '/v1//chat/./completions/',
  '/v1/x/../chat/completions',
  '/V1/Chat/Completions',
  '/v1/chat%2Fcompletions',
  '/v1/ch%2561t/completions',
  '/openai/deployments/d/chat/completions?api-version=1',
])('judges a chat completion however its path is written: %s', (url) => {
  expect(kind('POST', url)).toBe('judge');
});

it('passes what holds no call, and refuses what could', () => {
  for (const [method, url] of [
    ['GET', '/v1/models'],
    ['POST', '/v1/embeddings'],
    ['POST', '/v1/completions'],
    ['POST', '/v1/files'],
    ['DELETE', '/v1/files/f'],
  ] as const)
    expect([url, kind(method, url)]).toEqual([url, 'pass']);
  for (const [method, url] of [
    ['PUT', '/v1/chat/completions'],
    ['GET', '/v1/chat/completions/abc'],
    ['POST', '/v1/batches'],
    ['GET', '/v1/responses/r'],
    ['POST', '/v1/threads/t/runs'],
    ['POST', '/model/m/converse-stream'],
    ['POST', '/api/chat'],
    ['POST', '/something/new'],
    ['POST', '/v1/%zz'],
    ['POST', 'http://elsewhere/v1/embeddings'],
  ] as const)
    expect([url, kind(method, url)]).toEqual([url, 'refuse']);
  expect(kind('POST', '/something/new', [/^\/something\/new$/])).toBe('pass');
});

it.each([
  '/v1/chat/completions;/embeddings',
  '/v1/chat/completions;a=b',
  '/v1/chat/completions%3B/embeddings',
  '/v1/chat/completions%3F/embeddings',
  '/v1/chat/completions%253f/embeddings',
  '/v1/chat/completions%23/embeddings',
  '/v1/chat/completions%00/embeddings',
  '/v1/chat/completions%0a/embeddings',
  '/v1/chat/completions%5c../embeddings',
  '/v1/embeddings#/../chat/completions',
  '/v1\\chat\\completions',
])('refuses a path that two servers end in two places: %s', (url) => {
  for (const method of ['GET', 'POST', 'DELETE']) expect(kind(method, url)).toBe('refuse');
});

it('refuses the files that results of batches are, unless the operator lets them pass', () => {
  const results = [
    '/v1/files/file-1/content',
    '/openai/files/f/content/',
    '/download/v1beta/files/x:download?alt=media',
  ];
  for (const url of results) {
    expect(kind('GET', url)).toBe('refuse');
    expect(kind('GET', url, [/\/files\//])).toBe('pass');
  }
  for (const url of ['/v1/files', '/v1/files/file-1', '/v1beta/files/x']) expect(kind('GET', url)).toBe('pass');
});

it('reads no path that does not come to rest', () => {
  expect(comparablePath('/%25252525252561')).toBeUndefined();
});

it.each([
  '/v1/embeddings',
  '/v1/completions',
  '/v1/moderations',
  '/v1/rerank',
  '/tokenize',
  '/detokenize',
  '/v1/messages/count_tokens',
  '/v1/responses/input_tokens',
  '/v1beta/models/m:countTokens',
  '/v1beta/models/m:embedContent',
  '/v1beta/models/m:batchEmbedContents',
  '/v1beta/models/m:embedText',
  '/v1/images/generations',
  '/v1/images/edits',
  '/v1/images/variations',
  '/v1/audio/speech',
  '/v1/audio/transcriptions',
  '/v1/audio/translations',
  '/v1/files/f/g',
  '/v1/uploads',
  '/v1/vector_stores/v/files',
  '/v1beta/cachedContents',
])('passes a POST whose reply cannot hold a call, and no longer path: %s', (url) => {
  expect(kind('POST', url)).toBe('pass');
  expect(kind('POST', `${url}x`)).toBe(/\/(?:files|uploads|vector_stores)\//.test(url) ? 'pass' : 'refuse');
  expect(kind('PUT', url)).toBe('refuse');
});

it.each([
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/threads',
  '/v1/conversations/c',
  '/v1/assistants',
  '/v1/batches/b',
  '/v1beta/interactions/i',
  '/v1/files/f/content',
  '/v1beta/files/f:download',
  '/v1/realtime',
  '/v1beta/models/m:streamGenerateContent',
  '/v1beta/models/m:generateContent',
])('refuses to read a stored reply that may hold a call: %s', (url) => {
  const refused = {
    kind: 'refuse',
    path: url.toLowerCase(),
    reason: 'stored replies may hold tool calls that the guard does not judge',
  };
  expect(routeOf('GET', url, [], [])).toEqual(refused);
  expect(routeOf('HEAD', url, [], [])).toEqual(refused);
  expect(kind('GET', `${url}x`)).toBe(/\/[cbi]$/.test(url) ? 'refuse' : 'pass');
});

it('says why it refuses, and names the wire that judges', () => {
  expect(routeOf('POST', '/v1/chat/completions', [openaiChat], [])).toEqual({ kind: 'judge', wire: openaiChat });
  expect(routeOf('POST', '/a;b', [], [])).toEqual({
    kind: 'refuse',
    reason: 'its path can be read in more than one way',
  });
  expect(routeOf('PATCH', '/v1/models', [], [])).toEqual({
    kind: 'refuse',
    path: '/v1/models',
    reason: 'its replies may hold tool calls that the guard does not judge',
  });
  expect(['GET', 'HEAD', 'OPTIONS', 'DELETE'].map((method) => kind(method, '/v1/models'))).toEqual(
    Array(4).fill('pass'),
  );
});

it('makes a pattern of a path for the operator, without characters that a shell or a pattern reads', () => {
  expect(passPattern('/v1/models/m-1:go')).toBe('^/v1/models/m-1:go$');
  expect(passPattern("/a'$(x)*ü")).toBe('^/a...x...$');
});

it.each([
  ['/', '/'],
  ['/A//b/./C/', '/a/b/c'],
  ['/a/../b', '/b'],
  ['/../a', '/a'],
  ['/a/b/../../c', '/c'],
  ['/a?b', '/a'],
  ['/a%2Fb', '/a/b'],
  ['/a%20/b', '/a/b'],
  ['/%252561', '/a'],
  ['/100%25', undefined],
  ['a', undefined],
  ['', undefined],
  ['/%zz', undefined],
  ['/a%7f', undefined],
  ['/a;b', undefined],
])('compares %s as %s', (url, path) => {
  expect(comparablePath(url)).toBe(path);
});
