import { ComponentError, createSubFlowSlots, type FlowLibrary, type Services, templateFlow } from '@croft/components';
import { FlowError } from '@croft/flow';
import { and, desc, eq, isNull } from 'drizzle-orm';
import type { FlowComponents } from '../components/flow-components.ts';
import { isApproved } from '../flows/approve-flow.ts';
import { getFlow, type StoredFlow } from '../flows/get-flow.ts';
import type { Db } from '../store/database.ts';
import { flow } from '../store/flow-schema.ts';

const MAX_NAMES = 20;

/**
 * The stored flows as sub-flows of a user's runs: own flows by name or id, flows shared with the user by id, and templates.
 * A sub-flow uses the keys and files of the user, so a version that another user wrote runs only after the user accepted it.
 */
export function storedFlows(
  storage: () => Promise<Db>,
  userId: string,
  components: Pick<FlowComponents, 'builtins' | 'forFlow'>,
): FlowLibrary<Services> {
  const withComponents = async (db: Db, found: StoredFlow) => {
    const { id, document } = found;
    if (!(await isApproved(db, userId, found)))
      throw new ComponentError(
        `The flow '${document.name}' has version ${found.version}, which you have not accepted.`,
        'Another user can change it. Check the flow, and accept this version under Use it.',
      );
    const { registry, findings } = await components.forFlow(userId, document);
    const [first] = findings;
    if (first !== undefined) throw new ComponentError(`The flow '${document.name}': ${first.message}`, first.fix);
    return { id, flow: document, registry };
  };
  return {
    async find(wanted) {
      const db = await storage();
      try {
        const byId = await getFlow(db, userId, wanted);
        if (byId !== undefined) return await withComponents(db, byId);
        const [named, second] = await db
          .select({ id: flow.id })
          .from(flow)
          .where(and(eq(flow.userId, userId), eq(flow.name, wanted), isNull(flow.deletedAt)))
          .limit(2);
        if (second !== undefined)
          throw new ComponentError(`Several of your flows are called '${wanted}'.`, 'Use the id of one of them.');
        const found = named && (await getFlow(db, userId, named.id));
        return found === undefined ? templateFlow(wanted, components.builtins) : await withComponents(db, found);
      } catch (error) {
        if (error instanceof FlowError)
          throw new ComponentError(`The flow '${wanted}' cannot be read: ${error.message}`, 'Open it in the studio.');
        throw error;
      }
    },
    async names() {
      const db = await storage();
      const rows = await db
        .select({ name: flow.name })
        .from(flow)
        .where(and(eq(flow.userId, userId), isNull(flow.deletedAt)))
        .orderBy(desc(flow.updatedAt))
        .limit(MAX_NAMES);
      return rows.map(({ name }) => name);
    },
    underWay: [],
    slots: createSubFlowSlots(),
  };
}
