import { afterEach, expect, it, vi } from 'vitest';
import { Statuses, type StatusParts } from './statuses.ts';
import { DISCONNECTED, openTestStream, postTo, serveTestHub, type TestHub } from './testing.ts';

let served: TestHub | undefined;
afterEach(async () => {
  await served?.close();
  served = undefined;
});

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

/** The statuses of a machine that is connected or not, with all that they report. */
function make({
  isKnown = true,
  load = async () => {},
  onChange,
}: Partial<{
  isKnown: boolean;
  load: () => Promise<void>;
  onChange: () => void;
}> = {}) {
  const reported: unknown[] = [];
  const connection = {
    isConnected: true,
    connectedAt: 1_000,
    rootPath: '/d',
    machine: { host: 'laptop', categories: [{ name: 'files', enabled: true }] },
  };
  let expiresAt: number | undefined;
  let isPaired = true;
  const statuses = new Statuses({
    machines: { ofUser: () => (isPaired ? connection : undefined) },
    pairings: { expiresAt: () => expiresAt },
    switches: { isOn: () => true, isKnown: () => isKnown, load },
    onChange: (userId: string, { connected }: { connected: boolean }) => {
      reported.push([userId, connected]);
      onChange?.();
    },
    log: (event: unknown) => reported.push(event),
  } as unknown as StatusParts);
  return {
    statuses,
    connection,
    reported,
    expireAt: (ms: number) => (expiresAt = ms),
    unpair: () => (isPaired = false),
  };
}

it('has all of a connected machine, and nothing of another', () => {
  const { statuses, connection, expireAt, unpair } = make();
  expect(statuses.of('ann')).toEqual({
    connected: true,
    connectedAt: '1970-01-01T00:00:01.000Z',
    directory: '/d',
    hostIdentifier: 'laptop',
    toolCategories: [{ name: 'files', enabled: true }],
    enabled: true,
  });
  const gone = { ...DISCONNECTED, expiresAt: '1970-01-01T00:00:00.000Z' };
  expireAt(0);
  connection.isConnected = false;
  expect(statuses.of('ann')).toEqual(gone);
  unpair();
  expect(statuses.of('ann')).toEqual(gone);
});

it('reports each change of the connection once, and every change to its listener', () => {
  const { statuses, connection, reported } = make();
  statuses.changed('ann');
  statuses.changed('ann');
  connection.isConnected = false;
  statuses.changed('ann');
  statuses.changed('ann');
  expect(reported).toEqual([
    { event: 'connected', userId: 'ann' },
    ['ann', true],
    ['ann', true],
    { event: 'disconnected', userId: 'ann' },
    ['ann', false],
    ['ann', false],
  ]);
});

it('reads the switch before it reports, and logs what fails', async () => {
  const load = vi.fn<() => Promise<void>>(async () => {});
  const unknown = make({ isKnown: false, load });
  await unknown.statuses.load('ann');
  expect(load).toHaveBeenCalledWith('ann');
  unknown.statuses.changed('ann');
  expect(unknown.reported).toEqual([{ event: 'connected', userId: 'ann' }]);
  await expect.poll(() => unknown.reported.at(-1)).toEqual(['ann', true]);
  const error = new Error('down');
  const broken = make({ isKnown: false, load: () => Promise.reject(error) });
  broken.statuses.changed('ann');
  await expect.poll(() => broken.reported.at(-1)).toEqual({ event: 'failed', userId: 'ann', error });
  const thrown = make({
    onChange: () => {
      throw error;
    },
  });
  thrown.statuses.changed('ann');
  expect(thrown.reported.at(-1)).toEqual({ event: 'failed', userId: 'ann', error });
});
