import type { ChatMessage } from '../api/chats.ts';

/** The messages of one run, oldest first. */
export interface Turn {
  readonly runId: string;
  readonly messages: readonly ChatMessage[];
}

/** Groups messages that follow each other by their run. The messages come newest first; the turns are oldest first. */
export function turnsOf(newestFirst: readonly ChatMessage[]): readonly Turn[] {
  const turns: { runId: string; messages: ChatMessage[] }[] = [];
  for (const message of newestFirst.toReversed()) {
    const last = turns.at(-1);
    if (last?.runId === message.runId) last.messages.push(message);
    else turns.push({ runId: message.runId, messages: [message] });
  }
  return turns;
}

/** Whether a person wrote the message. */
export const isAsked = ({ sender }: Pick<ChatMessage, 'sender'>): boolean => sender === 'User';

/** Whether the flow has answered. */
export const hasAnswer = ({ messages }: Turn): boolean => messages.some((each) => !isAsked(each));

/** The message with which the turn began. */
export const questionOf = ({ messages }: Turn): string => messages.find(isAsked)?.text ?? '';
