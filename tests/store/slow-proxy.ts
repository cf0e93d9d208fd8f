import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** For tests: a socket directory that leads to another PostgreSQL, and holds back the ends of connections. */
export interface SlowProxy {
  readonly directory: string;
  /** How many connections the client has ended and the database has not. */
  heldEnds(): number;
  holdEnds(): void;
  /** Passes the held ends on, and later ones at once. */
  release(): void;
  close(): Promise<void>;
}

export async function openSlowProxy(socketDirectory: string): Promise<SlowProxy> {
  const directory = mkdtempSync(join(tmpdir(), 'croft-proxy-'));
  const name = '.s.PGSQL.5432';
  const held = new Set<Socket>();
  let isHolding = false;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const target = connect({ path: join(socketDirectory, name), allowHalfOpen: true });
    for (const socket of [client, target]) socket.on('error', () => {});
    client.on('data', (data) => {
      // `X` and its length: the client leaves.
      if (data.at(0) === 0x58) return;
      target.write(data);
    });
    client.on('end', () => {
      if (isHolding) held.add(target);
      else target.end();
    });
    target.pipe(client);
  });
  server.listen(join(directory, name));
  await once(server, 'listening');
  return {
    directory,
    heldEnds: () => held.size,
    holdEnds() {
      isHolding = true;
    },
    release() {
      isHolding = false;
      for (const target of held) target.end();
      held.clear();
    },
    async close() {
      server.close();
      await once(server, 'close');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
