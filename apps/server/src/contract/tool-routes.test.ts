import { expect, it } from 'vitest';
import { z } from 'zod';
import { routesOfTools, toolRoutes } from './tool-routes.ts';

it('documents each tool as a route of its own', () => {
  const input = z.object({ path: z.string() });
  const [route] = routesOfTools('files', [{ name: 'read.file', title: 'Read', input }]);
  expect(route).toEqual({
    ...toolRoutes.callTool,
    route: 'POST /api/v1/tools/files/read.file',
    operationId: 'files_read_file',
    summary: 'Read',
    body: input,
  });
});

it('has a route for the files of the caller, and one for the machine', () => {
  const { query, response, body, ...own } = toolRoutes.callTool;
  expect([Object.keys(query.shape), Object.keys(response.shape)]).toEqual([['root'], ['ok', 'data', 'text', 'media']]);
  expect(body.meta()).toEqual({ type: 'object', description: 'The arguments of the tool' });
  expect(own).toEqual({
    operationId: 'callTool',
    tag: 'Tools',
    route: 'POST /api/v1/tools/{toolset}/{name}',
    summary: "Call a tool on the caller's files. A failed call is a response with ok: false",
    access: 'caller',
    maxBodyBytes: 16_777_216,
    errors: ['not_found', 'busy', 'not_connected', 'unavailable'],
  });
  expect(toolRoutes.callMachineTool).toEqual({
    operationId: 'callMachineTool',
    tag: 'Tools',
    route: 'POST /api/v1/gateway/tools/{name}',
    summary: "Call a tool on the caller's connected machine. A failed call is a response with ok: false",
    access: 'caller',
    body,
    maxBodyBytes: 16_777_216,
    response,
    errors: ['not_found', 'busy', 'not_connected'],
  });
});

it('has a result with the reason of a failed call, and no other fields', () => {
  const { response, maxBodyBytes, query } = toolRoutes.callTool;
  const takes = (value: object) => response.safeParse(value).success;
  expect(takes({ ok: false, data: { error: 'x' } })).toBe(true);
  expect(takes({ ok: true, data: {}, text: 't', media: [{ type: 'image', data: '', mimeType: 'image/png' }] })).toBe(
    true,
  );
  const takesMedia = (each: object) => takes({ ok: true, data: {}, media: [each] });
  const media = { data: '', mimeType: 'x' };
  expect(['image', 'audio', 'resource', 'video'].map((type) => takesMedia({ type, ...media }))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(takesMedia({ type: 'resource', uri: 'u', ...media })).toBe(true);
  for (const type of ['image', 'resource']) {
    const uri = type === 'resource' && { uri: 'u' };
    expect(takesMedia({ type, ...uri, ...media, more: 1 })).toBe(false);
    expect([takesMedia({ type, ...uri, data: '' }), takesMedia({ type, ...uri, mimeType: '' })]).toEqual([
      false,
      false,
    ]);
  }
  expect(takes({ ok: true, data: {}, more: 1 })).toBe(false);
  expect(maxBodyBytes).toBe(16_777_216);
  expect(['mine', 'shared', undefined, 'other'].map((root) => query.safeParse({ root }).success)).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(query.safeParse({ root: 'other' }).error?.issues[0]?.message).toBe('there is one tree now: leave root out');
});
