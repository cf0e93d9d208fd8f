import { randomUUID } from 'node:crypto';

const TURN_KEY = /^turn:([\w-]+):/;
/** Only the server makes keys with this beginning. */
const TURN_PREFIX = 'turn:';
const AGENT_PREFIX = 'mcp-';

/** The maker of an edit: a person or a program with an API key, the assistant, or an agent over MCP. */
export type EditMaker = 'person' | 'assistant' | 'agent';

/** The id of an agent's session, which stands for a turn in the keys of its edits. */
export const newAgentId = (): string => `${AGENT_PREFIX}${randomUUID()}`;

/** The key of an edit that the assistant makes in a turn. All edits of a turn are one step of undo. */
export const editKeyOfTurn = (turnId: string, key: string = randomUUID().slice(0, 8)): string =>
  `${TURN_PREFIX}${turnId}:${key}`;

/** The turn of an edit, from its key. */
export const turnOfKey = (key: string | null): string | undefined => TURN_KEY.exec(key ?? '')?.[1];

export function makerOfKey(key: string | null): EditMaker {
  const turn = turnOfKey(key);
  if (turn === undefined) return 'person';
  return turn.startsWith(AGENT_PREFIX) ? 'agent' : 'assistant';
}
