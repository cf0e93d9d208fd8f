import type { Actor, Via } from '@croft/tools';
import type { StartedBy } from '../contract/run-starts.ts';
import type { Caller } from '../identity.ts';

/** The actor of a request, for the log of the workspace. */
export function actorOf({ via, userId, key }: Caller): UserActor {
  return { userId, via: via === 'key' ? 'api' : 'page', client: null, ...(key !== undefined && { key }) };
}

/** The actor of a user of the server. */
export type UserActor = Actor & { readonly userId: string };

/** The way of the changes of a run. */
export const VIA_OF_RUN: Readonly<Record<StartedBy, Via>> = {
  canvas: 'page',
  playground: 'page',
  page: 'page',
  assistant: 'assistant',
  key: 'api',
  openai: 'api',
  link: 'link',
  webhook: 'webhook',
  schedule: 'schedule',
  mcp: 'mcp',
};
