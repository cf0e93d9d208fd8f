import { type FlowDocument, nodeTitle, type Registry } from '@croft/flow';
import { stepFor } from './from-components.ts';
import { readRequest } from './request-parts.ts';
import { stemsOf } from './words.ts';

const VERB =
  '(?:remove|delete|drop|erase|discard|wipe|clear|empty|destroy|purge|trash|take\\s+out|throw\\s+away|get\\s+rid\\s+of)';
const REMOVES = new RegExp(
  `^\\s*(?:(?:please|can you|could you|now|also|and|then|first|just)\\s+)*${VERB}\\s+(.+?)[.!?\\s]*$`,
  'is',
);
/** Connections have tools of their own. */
const CONNECTION = /\b(?:connections?|edges?)\b/i;
const BETWEEN = new RegExp(`\\s*(?:,|;|\\band\\b|\\bthen\\b)\\s*(?:(?:and|then|also)\\s+)*(?:${VERB}\\s+)?`, 'i');
const ARTICLE = /^(?:(?:the|my|this|that|its|our)\s+)+/i;
const NOUN = /^(?:step|component|node)\s+|\s+(?:step|component|node)$/i;
const QUOTES = /^["'`“](.*)["'`”]$/;

/** A message that asks to take something away. */
export interface Removal {
  /** Components that its words name. */
  readonly ids: readonly string[];
  /** The other things, in the words of the user: files, rows, several components at once. */
  readonly leftOut: readonly string[];
}

/**
 * The components that a message asks to remove. A component is named by its id, title or type, or by words of its title
 * beside `step`, `component` or `node`: a plural or `all rows` names data. Undefined for other messages, and where a rule
 * reads the words as a step of a flow, such as `remove the lines that contain DEBUG`.
 */
export function removalIn(message: string, flow: FlowDocument, registry: Registry): Removal | undefined {
  const named = REMOVES.exec(message)?.[1];
  if (named === undefined || CONNECTION.test(named)) return undefined;
  if ((stepFor(readRequest(message), registry)?.read.length ?? 0) > 0) return undefined;
  const whole = idNamed(named, flow, registry);
  if (whole !== undefined) return { ids: [whole], leftOut: [] };
  const found = named
    .split(BETWEEN)
    .filter((each) => each.trim() !== '')
    .map((each) => ({ each, id: idNamed(each, flow, registry) }));
  return {
    ids: [...new Set(found.flatMap(({ id }) => id ?? []))],
    leftOut: found.flatMap(({ each, id }) => (id === undefined ? [each.trim()] : [])),
  };
}

function idNamed(words: string, { nodes }: FlowDocument, registry: Registry): string | undefined {
  const given = words.trim().replace(ARTICLE, '');
  const bare = given.replace(NOUN, '').replace(QUOTES, '$1').trim();
  const isSame = (text: string) => text.toLowerCase() === bare.toLowerCase();
  const same = nodes.filter((node) => [node.id, nodeTitle(node, registry), node.type].some(isSame));
  const stems = stemsOf(bare);
  const close =
    NOUN.test(given) && !/^(?:all|every|each|both|any)\b/i.test(given) && stems.length > 0
      ? nodes.filter((node) => {
          const own = stemsOf(nodeTitle(node, registry));
          return stems.every((stem) => own.includes(stem));
        })
      : [];
  const [only, ...others] = same.length > 0 ? same : close;
  return others.length > 0 ? undefined : only?.id;
}
