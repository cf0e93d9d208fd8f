import { change, type StudioUser } from './studio-servers.ts';

/** A machine that is connected to a user of a server. */
export interface Machine {
  leave(): Promise<void>;
}

/** Connects a machine as `croft connect` does. It offers files and answers no calls. */
export async function connectMachine(
  { server, visitor }: Pick<StudioUser, 'server' | 'visitor'>,
  directory = '/home/ada/projects/garden',
  writeAccess = false,
): Promise<Machine> {
  const link = (await change(visitor, 'POST', '/instance-ai/gateway/create-link', {})) as { token: string };
  const gateway = `${server.url}/rest/instance-ai/gateway`;
  const send = (path: string, key: string, json: object) =>
    fetch(gateway + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gateway-key': key },
      body: JSON.stringify(json),
    });
  const welcomed = await send('/init', link.token, {
    rootPath: directory,
    hostIdentifier: 'ada@larch',
    toolCategories: [{ name: 'filesystem', enabled: true, writeAccess }],
    tools: [{ name: 'read_file', description: 'Reads a file', inputSchema: { type: 'object' } }],
  });
  if (!welcomed.ok) throw new Error(`The machine was not accepted: ${welcomed.status} ${await welcomed.text()}`);
  const { sessionKey } = (await welcomed.json()) as { sessionKey: string };
  const ending = new AbortController();
  const { signal } = ending;
  const stream = await fetch(`${gateway}/events`, { headers: { 'x-gateway-key': sessionKey }, signal });
  stream.text().catch(() => {
    // The machine or the server ended the stream.
  });
  return {
    async leave() {
      await send('/disconnect', sessionKey, {}).catch(() => undefined);
      ending.abort();
    },
  };
}
