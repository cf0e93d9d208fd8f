import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { drizzle } from 'drizzle-orm/node-postgres';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import pg from 'pg';
import type { Db } from '../../apps/server/src/store/database.ts';
import { migrate } from '../../apps/server/src/store/migrate.ts';
import * as schema from '../../apps/server/src/store/schema.ts';

/** Types of messages that a response follows: Query, Sync and Terminate. */
const COMPLETE = new Set(['Q', 'S', 'X'].map((type) => type.charCodeAt(0)));

/**
 * For tests: PostgreSQL in WebAssembly that has the files of pgvector, with the tables of the server. It serves one
 * connection, through the driver of the server.
 */
export async function openPgvectorDatabase(): Promise<{ db: Db; close(): Promise<void> }> {
  const postgres = await createPostgres();
  const server = createServer((socket) => void serve(postgres, socket).catch(() => socket.destroy()));
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'postgres', max: 1, idleTimeoutMillis: 0 });
  const client = await pool.connect();
  await migrate(client).finally(() => client.release());
  return {
    db: drizzle(pool, { schema }),
    async close() {
      await pool.end();
      await new Promise((closed) => void server.close(closed));
      await postgres.close();
    },
  };
}

/** Most of its code runs once, to create the database: V8 would take as long to optimize it as to run it. */
async function createPostgres(): Promise<PGlite> {
  setFlagsFromString('--liftoff-only');
  try {
    return await PGlite.create({ extensions: { vector } });
  } finally {
    setFlagsFromString('--no-liftoff-only');
  }
}

/** Passes on requests as a whole: PGlite takes no parts of messages. */
async function serve(postgres: PGlite, socket: Socket): Promise<void> {
  let received = Buffer.alloc(0);
  let at = 0;
  let isStarted = false;
  for await (const part of socket as AsyncIterable<Buffer>) {
    received = Buffer.concat([received, part]);
    for (;;) {
      // The first message has no type.
      const lengthAt = isStarted ? at + 1 : at;
      if (received.length < lengthAt + 4) break;
      const end = lengthAt + received.readUInt32BE(lengthAt);
      if (received.length < end) break;
      const isComplete = !isStarted || COMPLETE.has(received[at] as number);
      isStarted = true;
      at = end;
      if (!isComplete) continue;
      socket.write(await postgres.execProtocolRaw(received.subarray(0, end)));
      received = received.subarray(end);
      at = 0;
    }
  }
}
