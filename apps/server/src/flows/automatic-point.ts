import type { EventStreams } from '../events.ts';
import type { Db } from '../store/database.ts';
import { sendFlowChange } from './announce-flow.ts';
import { createRestorePoint, deleteRestorePoint, listRestorePoints } from './restore-points.ts';

/** The author of changes before which a restore point is kept: the beginning of its name. */
export type PointAuthor = 'the assistant' | 'an MCP client';

/** The oldest points of an author make room; points of users are never removed. */
const MAX_POINTS = 20;
const MAX_NAME = 80;

/** Keeps a restore point before changes that no person makes. Returns its id. @throws Problem, as `createRestorePoint` */
export async function keepAutomaticPoint(
  { storage, events }: { readonly storage: () => Promise<Db>; readonly events: Pick<EventStreams, 'send'> },
  request: { readonly userId: string; readonly flowId: string; readonly author: PointAuthor; readonly what: string },
): Promise<string> {
  const { userId, flowId, author, what } = request;
  const db = await storage();
  const beginning = `Before ${author}: `;
  const points = (await listRestorePoints(db, flowId)).filter(({ name }) => name.startsWith(beginning));
  for (const { id } of points.slice(MAX_POINTS - 1)) await deleteRestorePoint(db, { userId, flowId, id });
  const name = `${beginning}${what.replace(/\s+/g, ' ').slice(0, MAX_NAME)}`;
  const { id, notice } = await createRestorePoint(db, { userId, flowId, name });
  sendFlowChange(events, notice);
  return id;
}
