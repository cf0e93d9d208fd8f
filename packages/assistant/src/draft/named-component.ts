import type { Descriptor, Registry } from '@croft/flow';
import { stemsOf } from './words.ts';

const ADDS =
  /^\s*(?:(?:please|can you|could you|now|also|and|then)\s+)*(?:add|insert|append|include)\s+(?:(?:an?|the|another|one)\s+)?(?:new\s+)?(.+?)(?:\s+(?:to|at|in)\s+(?:the\s+)?(?:end(?:\s+of\s+(?:the|this|my)\s+flow)?|flow|canvas|this\s+flow|my\s+flow))?[.!\s]*$/is;
const BEFORE = /^(?:component|step|node)\s+(?:(?:that|which|to|called|named)\s+)?/i;
const AFTER = /\s+(?:component|step|node)$/i;
const QUOTES = /^["'`“](.*)["'`”]$/s;

/**
 * The component that a message asks to add by its title or type, beside `component`, `step` or `node`: `add a Webhook
 * component`, `add a step that sorts the rows`. All words of the title are there and no others, in any form. Undefined for
 * other messages, and where several components have such a title.
 */
export function componentNamedIn(message: string, registry: Registry): Descriptor | undefined {
  const named = ADDS.exec(message)?.[1];
  if (named === undefined || !(BEFORE.test(named) || AFTER.test(named))) return undefined;
  const bare = named.replace(BEFORE, '').replace(AFTER, '').replace(QUOTES, '$1').trim();
  const known = registry.entries.map(({ descriptor }) => descriptor).filter(({ legacy }) => legacy !== true);
  const namesOf = ({ label, type }: Descriptor) => [label, type];
  const exact = known.filter((each) => namesOf(each).some((name) => name.toLowerCase() === bare.toLowerCase()));
  const key = keyOf(bare);
  const close = key === '' ? [] : known.filter((each) => namesOf(each).some((name) => keyOf(name) === key));
  const [only, ...others] = exact.length > 0 ? exact : close;
  return others.length > 0 ? undefined : only;
}

const keyOf = (text: string): string => stemsOf(text).sort().join(' ');
