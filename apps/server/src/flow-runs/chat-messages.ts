import type { History, StoredMessage } from '@croft/components';
import { problem } from '../routes/route.ts';

/** A message of OpenAI's chat API. */
export interface ChatRequestMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  readonly content?:
    | string
    | readonly { readonly type: string; readonly text?: string | undefined }[]
    | null
    | undefined;
}

const SENDERS = {
  system: ['User', 'System'],
  developer: ['User', 'System'],
  user: ['User', 'User'],
  assistant: ['Machine', 'AI'],
  tool: ['Machine', 'Tool'],
} as const;

/**
 * The last message, for the flow's chat input, and a history with the messages before it. The history gives them for every
 * session and keeps what the run adds, until the run ends: messages of other requests do not show up. Instructions of the client
 * are apart from the limit; models get them also where they get no earlier messages.
 *
 * @throws Problem `invalid` where the last message is not the user's, or one has parts that are not text
 */
export function conversationOf(messages: readonly ChatRequestMessage[]): { message: string; history: History } {
  const last = messages.at(-1);
  if (last?.role !== 'user') throw problem('invalid', "messages: the last one must have the role 'user'.");
  const before = messages.slice(0, -1).map(storedMessage);
  const isInstruction = ({ sender_name }: StoredMessage) => sender_name === 'System';
  const earlier = before.filter((each) => !isInstruction(each));
  const history: History = {
    instructions: before.filter(isInstruction),
    async add(_session, message) {
      earlier.push(message);
    },
    list: async (_session, limit) => earlier.slice(-limit),
  };
  return { message: textOfMessage(last, messages.length - 1), history };
}

function storedMessage(message: ChatRequestMessage, at: number): StoredMessage {
  const [sender, sender_name] = SENDERS[message.role];
  return {
    text: textOfMessage(message, at),
    sender,
    sender_name,
    session_id: '',
    timestamp: new Date().toISOString(),
  };
}

function textOfMessage({ content }: ChatRequestMessage, at: number): string {
  if (typeof content === 'string') return content;
  return (content ?? [])
    .map(({ type, text }) => {
      if (type === 'text' && text !== undefined) return text;
      throw problem('invalid', `messages.${at}: the part '${type.slice(0, 50)}' is not text. Send text only.`);
    })
    .join('');
}
