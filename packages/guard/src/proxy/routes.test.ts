import { expect, it } from 'vitest';
import { comparablePath, routeOf } from './routes.ts';
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
