import type { LanguageModelV3CallOptions, LanguageModelV3Prompt } from '@ai-sdk/provider';

/** One call of a tool. */
export interface OfflineCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A reply: text, or calls of tools. */
export interface OfflineReply {
  readonly text: string;
  readonly calls: readonly OfflineCall[];
}

const ABOUT =
  'I am croft/offline, a small set of rules and not a language model. I call tools and repeat what they answer. For real answers, set the key of a provider such as OPENAI_API_KEY.';

/** Answers one request. Pure: the same messages and tools give the same reply. */
export function replyTo({ prompt }: LanguageModelV3CallOptions): OfflineReply {
  return { text: `${ABOUT} You said: ${lastUserText(prompt)}`, calls: [] };
}

function lastUserText(prompt: LanguageModelV3Prompt): string {
  const message = prompt.findLast(({ role }) => role === 'user');
  if (message?.role !== 'user') return '';
  return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
