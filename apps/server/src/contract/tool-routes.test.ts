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

it('has a result with the reason of a failed call, and no other fields', () => {
  const { response, maxBodyBytes, query } = toolRoutes.callTool;
  const takes = (value: object) => response.safeParse(value).success;
  expect(takes({ ok: false, data: { error: 'x' } })).toBe(true);
  expect(takes({ ok: true, data: {}, text: 't', media: [{ type: 'image', data: '', mimeType: 'image/png' }] })).toBe(
    true,
  );
  expect(takes({ ok: true, data: {}, media: [{ type: 'resource', data: '', mimeType: 'x' }] })).toBe(false);
  expect(takes({ ok: true, data: {}, more: 1 })).toBe(false);
  expect(maxBodyBytes).toBe(16_777_216);
  expect(['mine', 'shared', undefined, 'other'].map((root) => query.safeParse({ root }).success)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
