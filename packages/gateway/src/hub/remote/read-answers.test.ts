import { describe, expect, it } from 'vitest';
import type { ResponseFrame } from '../../response-frame.ts';
import { type AnsweredCall, errorOf, readAnnouncedAnswer, readExploreAnswer } from './read-answers.ts';

const call = (name: string, input: Record<string, unknown> = {}): AnsweredCall => ({
  name,
  input,
  rootPath: '/home/u/p',
});
const explore = (name: string, input: Record<string, unknown>, data: unknown) =>
  readExploreAnswer(call(name, input), { data });
const INVALID = { ok: false, data: { error: 'The response of the connected machine is not a result of this tool' } };

describe('a response to a tool of explore', () => {
  it('has the shape and the limits of the local tool', () => {
    expect(
      explore('read-file', { filePath: 'a', maxLines: 2 }, { content: '1\n2\n3', more: 'x', totalLines: 3 }),
    ).toEqual({
      ok: true,
      data: { path: 'a', content: '1\n2', truncated: true, totalLines: 3 },
    });
    expect(
      explore(
        'search-files',
        { query: 'q', maxResults: 1 },
        {
          matches: [
            { path: 'a', lineNumber: 1, line: 'x'.repeat(501) },
            { path: 'b', lineNumber: 2 },
          ],
          totalMatches: 7,
        },
      ).data,
    ).toEqual({
      query: 'q',
      matches: [{ path: 'a', lineNumber: 1, line: 'x'.repeat(500) }],
      truncated: true,
      totalMatches: 7,
    });
    expect(explore('get-file-tree', {}, { tree: 'a/\n' }).data).toEqual({ tree: 'a/\n', truncated: false });
    expect(
      explore('list-files', { maxResults: 5 }, { files: [{ path: 'a', type: 'file' }], totalCount: 0 }).data,
    ).toEqual({ files: [{ path: 'a', type: 'file' }], truncated: false, totalCount: 1 });
  });

  it('has no more entries than the call asks for', () => {
    const files = [
      { path: 'a', type: 'file' },
      { path: 'b', type: 'directory' },
    ];
    expect(explore('list-files', { maxResults: 1 }, { files }).data).toEqual({
      files: [{ path: 'a', type: 'file' }],
      truncated: true,
      totalCount: 1,
    });
    expect(explore('list-files', { maxResults: 2 }, { files }).data['truncated']).toBe(false);
  });

  it('is cut at the limit of a result', () => {
    const { data } = explore('get-file-tree', {}, { tree: 'x'.repeat(1_100_000) });
    expect([Buffer.byteLength(JSON.stringify(data)) <= 1_048_576, data['truncated']]).toEqual([true, true]);
  });

  it('is refused where it is not one', () => {
    for (const data of [undefined, null, 'text', {}, { content: 7 }])
      expect(explore('read-file', {}, data)).toEqual(INVALID);
    expect(explore('list-files', {}, { files: [{ path: 'a', type: 'link' }] })).toEqual(INVALID);
    expect(explore('list-files', {}, { files: [{ path: 'x'.repeat(4_097), type: 'file' }] })).toEqual(INVALID);
    expect(explore('search-files', {}, { matches: [{ path: 'a', lineNumber: -1 }] })).toEqual(INVALID);
    expect(explore('shell', {}, { content: 'x' })).toEqual(INVALID);
  });

  it('may come in any form of a client', () => {
    const content = [{ type: 'text', text: '{"tree":"t"}' }] as const;
    for (const answer of [
      { result: { content: [...content] } },
      { result: { content: [], structuredContent: { tree: 't' } } },
    ])
      expect(readExploreAnswer(call('get-file-tree'), answer).data).toEqual({ tree: 't', truncated: false });
  });

  it('has its error without paths of the machine', () => {
    const failed = readExploreAnswer(call('read-file', { filePath: 'a' }), {
      error: 'ENOENT: /home/u/p/a, /home/u/.ssh/id',
    });
    expect(failed.ok).toBe(false);
    expect(JSON.stringify(failed.data)).not.toContain('/home/u');
  });
});

describe('a response to an announced tool', () => {
  const read = (answer: ResponseFrame) => readAnnouncedAnswer(call('t'), answer);
  it('is quoted for a model, with its structured content beside', () => {
    const { ok, data, text } = read({
      result: { content: [{ type: 'text', text: 'said' }], structuredContent: { a: 1 } },
    });
    expect([ok, data]).toEqual([true, { a: 1 }]);
    expect(text).toContain('said');
    expect(text).not.toBe('said');
    expect(read({ data: 'plain' }).data).toEqual({ content: 'plain' });
    expect(read({ data: { b: 2 } })).toMatchObject({
      data: { b: 2 },
      text: expect.stringContaining('{"b":2}') as string,
    });
  });

  it('gives structured content only up to the limit of a result', () => {
    const large = { a: 'x'.repeat(1_048_576) };
    expect(read({ data: large }).data).not.toHaveProperty('a');
  });

  it('says how many attachments were not valid', () => {
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const;
    const broken = { ...image, data: '!' };
    const { media, text } = read({ data: {}, media: [image, broken, broken] });
    expect(media).toEqual([image]);
    expect(text).toContain('(2 attachments were left out: not valid base64 of an image, sound or file)');
    expect(read({ data: {}, media: [broken] }).text).toContain('(1 attachment was left out');
    const blob = { type: 'resource', resource: { uri: 'u', blob: 'aGk=' } };
    expect(read({ result: { content: [image, blob] } }).media).toEqual([
      image,
      { type: 'resource', uri: 'u', data: 'aGk=', mimeType: 'application/octet-stream' },
    ]);
  });

  it('is an error, quoted as well', () => {
    const { ok, text } = read({ error: 'do as I say' });
    expect(ok).toBe(false);
    expect(text).not.toBe('do as I say');
  });
});

it.each<[ResponseFrame, string | undefined]>([
  [{ data: 1 }, undefined],
  [{ error: 'e' }, 'e'],
  [{ result: { content: [], structuredContent: { error: 'no' } } }, undefined],
  [{ result: { content: [], isError: true, structuredContent: { error: 's' } } }, 's'],
  [{ result: { content: [], isError: true }, data: { error: 'd' } }, 'd'],
  [{ result: { content: [{ type: 'text', text: '{"error":"j"}' }], isError: true } }, 'j'],
  [{ result: { content: [{ type: 'text', text: 'plain' }], isError: true } }, 'plain'],
  [{ result: { content: [], isError: true } }, 'The call failed on the connected machine'],
])('finds the error in %j', (answer, error) => {
  expect(errorOf(answer)).toBe(error);
});
