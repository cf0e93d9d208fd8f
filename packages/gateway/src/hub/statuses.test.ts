import { afterEach, expect, it } from 'vitest';
import { openTestStream, postTo, serveTestHub, type TestHub } from './testing.ts';

let served: TestHub;
afterEach(() => served.close());

it('shows the names of a machine in one line, without characters that hide or reorder text', async () => {
  served = await serveTestHub();
  const { token } = (await postTo(`${served.base}/gateway/create-link`, { user: 'ann' })).body;
  const body = {
    rootPath: '/home/ann/\u202eppa\u0007',
    tree: [],
    treeText: '',
    hostIdentifier: `laptop\n\u001b[31m\u202eevil${'x'.repeat(100)}`,
    toolCategories: [{ name: 'files\u200b\u2066', enabled: true }],
  };
  const key = (await postTo(`${served.base}/gateway/init`, { key: token, body })).body.sessionKey;
  const stream = await openTestStream(`${served.base}/gateway/events`, { key });
  const status = served.hub.status('ann');
  expect(status).toMatchObject({ connected: true, directory: '/home/ann/ppa', toolCategories: [{ name: 'files' }] });
  expect(status.hostIdentifier).toMatch(/^laptop \[31mevilx+…$/);
  expect(status.hostIdentifier).toHaveLength(64);
  stream.cut();
});
