const MAX_MESSAGE = 20_000;

/** The attempt of a refused message. */
export type Violation =
  | 'Prompt injection: instruction override attempt'
  | 'Prompt injection: system prompt extraction attempt'
  | 'Prompt injection: raw prompt delimiter injection';

/** The answer to a message that tries to change the assistant's own instructions. */
export const SANITISE_REFUSAL =
  "I'm sorry, but I can't process that request. I'm the Croft Assistant and I can help you with Croft components, flows, and technical questions. Please rephrase your question about Croft.";

/** The answer to a message about something else. */
export const OFF_TOPIC_REFUSAL =
  "I appreciate your interest, but I'm the Croft Assistant and can only help with Croft-related topics such as building components, creating flows, configuring deployments, and troubleshooting issues. Could you rephrase your question about Croft?";

/** Attempts on the assistant itself. Roles for a flow's agent, such as "act as a baker", are ordinary requests. */
const RULES: readonly (readonly [RegExp, Violation])[] = [
  [
    /^\s*(?:please\s+)?(?:ignore|disregard|forget)\s+(?:all\s+)?(?:of\s+)?(?:the\s+|your\s+)?(?:previous|prior|above|earlier)\s+(?:instructions|rules|prompts?)\b/i,
    'Prompt injection: instruction override attempt',
  ],
  [
    /\b(?:reveal|show|print|output|repeat|display|tell me)\s+(?:me\s+)?your\s+(?:own\s+)?(?:system prompt|initial prompt|hidden instructions)\b/i,
    'Prompt injection: system prompt extraction attempt',
  ],
  [/\[\/?(?:SYSTEM|INST)\]|<<\/?SYS>>|<\|im_(?:start|end)\|>/, 'Prompt injection: raw prompt delimiter injection'],
];

/** A message as the assistant reads it: without NUL, trimmed, bounded; or what it tries. Quoted texts are values. */
export function sanitise(message: string): { readonly text: string } | { readonly violation: Violation } {
  const text = message.replaceAll('\0', '').trim().slice(0, MAX_MESSAGE);
  // A search for “…” ends at the next opening quote: without that, many opening quotes take quadratic time.
  const bare = text.replace(/"[^"]*"|“[^“”]*”|`[^`]*`|'[^'\n]{8,}'/g, ' ');
  const found = RULES.find(([rule]) => rule.test(bare));
  return found === undefined ? { text } : { violation: found[1] };
}
