import { randomUUID } from 'node:crypto';
import { asc, eq, sql } from 'drizzle-orm';
import type { Db } from './database.ts';
import { flowCommand } from './flow-schema.ts';
import { isDuplicate } from './is-duplicate.ts';

/** A command that flows of administrators may start. `file` and `args` are what an administrator confirmed. */
export interface FlowCommand {
  readonly id: string;
  /** As the administrator wrote it. */
  readonly line: string;
  readonly file: string;
  readonly args: readonly string[];
}

/** Each use of a command reads all of them. */
const MAX_COMMANDS = 100;

/** The commands in the order in which they were allowed. */
export async function listFlowCommands(db: Db): Promise<FlowCommand[]> {
  const { id, line, file, args } = flowCommand;
  return db.select({ id, line, file, args }).from(flowCommand).orderBy(asc(flowCommand.createdAt), asc(id));
}

/** Adds a command and gives its id. Only the route of administrators calls it. `exists`, `full`: nothing was added. */
export async function addFlowCommand(
  db: Db,
  userId: string,
  { line, file, args }: Omit<FlowCommand, 'id'>,
): Promise<{ readonly id: string } | 'exists' | 'full'> {
  const id = randomUUID();
  try {
    return await db.transaction(async (tx) => {
      // Two additions at once would both count the same commands.
      await tx.execute(sql`LOCK TABLE ${flowCommand} IN SHARE ROW EXCLUSIVE MODE`);
      if ((await tx.$count(flowCommand)) >= MAX_COMMANDS) return 'full';
      await tx.insert(flowCommand).values({ id, line, file, args: [...args], addedBy: userId, createdAt: sql`now()` });
      return { id };
    });
  } catch (error) {
    if (isDuplicate(error)) return 'exists';
    throw error;
  }
}

/** Removes a command. Gives false where no command has the id. */
export async function removeFlowCommand(db: Db, id: string): Promise<boolean> {
  return (await db.delete(flowCommand).where(eq(flowCommand.id, id)).returning({ id: flowCommand.id })).length > 0;
}
