import { expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { createEditServer } from './edit-server.ts';
import { addNode } from './testing-nodes.ts';

const server = useFakeApi();
const edits = [addNode('a')];

it('sends edits with the version that they know and their key, and never over those of others', async () => {
  server.answer('POST /api/v1/flows/f/edits', { version: 4, edits, between: [{ version: 3, edits: [] }], more: 1 });
  const sent = await createEditServer('f').send({ base: 2, edits, key: 'k' });
  expect(sent).toEqual({ version: 4, edits, between: [{ version: 3, edits: [] }] });
  const [, , body = ''] = /^(POST \S+) (.*)$/.exec(server.requests[0] ?? '') ?? [];
  expect(JSON.parse(body)).toEqual({ base: 2, edits, key: 'k', overwrite: false });
});

it('counts a request without an answer as lost', async () => {
  const stop = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(stop.signal);
  server.answer('POST /api/v1/flows/f/edits', () => {
    stop.abort(new DOMException('late', 'TimeoutError'));
    throw stop.signal.reason;
  });
  await expect(createEditServer('f').send({ base: 2, edits, key: 'k' })).rejects.toMatchObject({ code: 'offline' });
  expect(timeout).toHaveBeenCalledWith(30_000);
  timeout.mockRestore();
});

it('throws a refusal as it is', async () => {
  server.answer('POST /api/v1/flows/f/edits', refusal(409, 'changed'));
  await expect(createEditServer('f').send({ base: 2, edits, key: 'k' })).rejects.toMatchObject({ code: 'changed' });
});

it('reads the edits after a version, and the whole flow where they are not kept', async () => {
  server.answer('GET /api/v1/flows/f/edits?after=3', { entries: [{ version: 4, edits }] });
  const { entriesAfter } = createEditServer('f');
  expect(await entriesAfter(3)).toEqual([{ version: 4, edits }]);
  server.answer('GET /api/v1/flows/f/edits?after=3', refusal(409, 'changed'));
  server.answer('GET /api/v1/flows/f', { flow: { version: 9, document: { name: 'Now' } } });
  expect(await entriesAfter(3)).toEqual([{ version: 9, edits: [{ kind: 'set_flow', flow: { name: 'Now' } }] }]);
  server.answer('GET /api/v1/flows/f/edits?after=3', refusal(403, 'forbidden'));
  await expect(entriesAfter(3)).rejects.toMatchObject({ code: 'forbidden' });
});
