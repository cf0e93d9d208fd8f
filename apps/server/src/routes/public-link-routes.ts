import type { FlowDocument } from '@croft/flow';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Settings } from '../config/settings.ts';
import { publicLinkRoutes } from '../contract/public-link-routes.ts';
import type { TrustedProxies } from '../edge/addresses.ts';
import { conversationOf } from '../flow-runs/chat-messages.ts';
import { type ReadFlow, readyFlow, type StartOptions } from '../flow-runs/start-stored-flow.ts';
import { isApproved } from '../flows/approve-flow.ts';
import { getFlow } from '../flows/get-flow.ts';
import { Problem } from '../problem.ts';
import type { Caller } from '../identity.ts';
import { addLink, findLink, type FlowLink, openLink, removeLink } from '../public-links/public-links.ts';
import { NO_ANSWER, sendAnswer } from '../public-links/send-answer.ts';
import type { VisitorLimits } from '../public-links/visitor-limits.ts';
import type { Db } from '../store/database.ts';
import { watchAccess } from '../watch-access.ts';
import { problem, type Route, route } from './route.ts';

export interface PublicLinkOptions extends StartOptions {
  readonly readApproved: ReadFlow;
  readonly proxies: TrustedProxies;
  readonly settings: Pick<Settings, 'autoLogin'>;
  readonly storage: () => Promise<Db>;
  readonly visitorLimits: VisitorLimits;
}

const TIMEOUT_MS = 120_000;
const LINK_ID = /^[\w-]{22}$/;

/** Public links of flows: for their owners, and for visitors without an account. */
export function makePublicLinkRoutes(options: PublicLinkOptions): Route[] {
  const { proxies, settings, storage, visitorLimits } = options;
  const find = async (id: string) => (LINK_ID.test(id) ? openLink(await storage(), id, settings) : undefined);
  const opened = async (id: string) => {
    const found = await find(id);
    if (found === undefined) throw notWorking();
    return found;
  };
  return [
    route(publicLinkRoutes.getFlowLink, async ({ caller, params }) => {
      const link = await findLink(await storage(), caller.userId, params.id);
      return { link: link === undefined ? null : shownLink(link, caller) };
    }),
    route(publicLinkRoutes.addFlowLink, async ({ caller, params, body }) => ({
      link: shownLink(await addLink(await storage(), caller, params.id, body.version), caller),
    })),
    route(publicLinkRoutes.removeFlowLink, async ({ caller, params }) => {
      await removeLink(await storage(), caller.userId, params.id);
      return { id: params.id };
    }),
    route(publicLinkRoutes.getPublicFlow, async ({ params, incoming }) => {
      visitorLimits.look(proxies.originOf(incoming).address);
      const { flowId, ownerId } = await opened(params.link);
      const db = await storage();
      const found = await getFlow(db, ownerId, flowId);
      if (found === undefined) throw notWorking();
      // Also the name and the sample message may be those of another user.
      if (!(await isApproved(db, ownerId, found)))
        throw problem('unavailable', 'Try again later, or tell the person who gave you this link.');
      const { name, description } = found.document;
      return { name, description, sample: sampleOf(found.document) };
    }),
    route(publicLinkRoutes.sendPublicMessage, async ({ params, body, incoming, outgoing }) => {
      const { address } = proxies.originOf(incoming);
      visitorLimits.look(address);
      const { flowId, ownerId } = await opened(params.link);
      const { message, history } = conversationOf(body.messages);
      const end = visitorLimits.begin(address, params.link);
      try {
        // The stored flow with the message, and nothing else of the visitor: no tweaks and no other inputs.
        const values = { message, session: 'public' };
        const approved = { ...options, readFlow: options.readApproved };
        const ready = await readyFlow(approved, ownerId, { flowId, values }).catch(hideReason);
        const actor = { userId: ownerId, via: 'link' as const, client: null };
        const visit = { actor, flowId, startedBy: 'link', timeoutMs: TIMEOUT_MS, history } as const;
        const run = options.liveRuns.start({ ...ready, ...visit });
        const leave = watchAccess(async () => (await find(params.link)) !== undefined, run.cancel);
        await sendAnswer(run, ready.flow, outgoing).finally(leave);
      } finally {
        end();
      }
      return RESPONSE_ALREADY_SENT;
    }),
  ];
}

const notWorking = () => problem('not_found', 'This link does not work any more.');

/** @throws Problem `run_failed` for what only the owner can change */
function hideReason(error: unknown): never {
  if (error instanceof Problem && error.code === 'busy') throw error;
  throw problem('run_failed', NO_ANSWER, {}, error);
}

const shownLink = ({ id, createdAt }: FlowLink, { role }: Pick<Caller, 'role'>) => ({
  id,
  path: `/p/${id}`,
  createdAt: createdAt.toISOString(),
  isOpen: role === 'admin',
});

/** The message in the flow itself. */
function sampleOf({ nodes }: FlowDocument): string {
  const value = nodes.find(({ type }) => type === 'ChatInput')?.values['input_value'];
  return typeof value === 'string' ? value : '';
}
