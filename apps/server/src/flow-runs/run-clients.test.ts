import { afterEach, expect, it } from 'vitest';
import { openRunClients, type RunClients, writableDirs } from './run-clients.ts';

let clients: RunClients | undefined;
afterEach(() => clients?.close());

it('writes below the base directory and the directory of the file system', () => {
  expect(writableDirs({ baseDir: '/b', filesystemPath: undefined })).toEqual(['/b']);
  expect(writableDirs({ baseDir: '/b', filesystemPath: '/f' })).toEqual(['/b', '/f']);
});

it('has the tools of the machine of the user where the server has machines', async () => {
  const open = (machineTools?: (userId: string) => Promise<never[]>) => {
    clients?.close();
    clients = openRunClients(
      {
        fetch: () => Promise.reject(new Error('no network')),
        machineTools,
        settings: { baseDir: '/b', filesystemPath: undefined, flowCommands: [], flowHosts: [] },
        storage: () => Promise.reject(new Error('no database')),
      } as never,
      'ann',
    );
    return clients.services;
  };
  expect(open()).not.toHaveProperty('machineTools');
  const asked: string[] = [];
  const services = open(async (userId) => (asked.push(userId), []));
  expect(await services.machineTools?.()).toEqual([]);
  expect(asked).toEqual(['ann']);
  for (const name of ['channel', 'documents', 'mcp', 'sql'] as const) expect(services[name]).toBeDefined();
});
