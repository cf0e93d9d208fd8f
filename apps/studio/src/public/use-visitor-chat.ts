import { useEffect, useRef, useState } from 'react';
import { sentenceOf } from '../ui/state.tsx';
import { askFlow, type VisitorMessage } from './read-answer.ts';

/** The conversation of a visitor. The tab keeps it, and the server does not. */
export interface VisitorChat {
  readonly messages: readonly VisitorMessage[];
  /** The answer while it is written. */
  readonly draft: string | undefined;
  readonly problem: string | undefined;
}

const EMPTY: VisitorChat = { messages: [], draft: undefined, problem: undefined };
/** Messages of one request, as the server allows. */
const MAX_SENT = 50;
const MAX_KEPT = 200;

/** Chats with the flow of a public link. */
export function useVisitorChat(link: string) {
  const [chat, setChat] = useState<VisitorChat>(() => ({ ...EMPTY, messages: readKept(link) }));
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const show = (messages: readonly VisitorMessage[], more: Partial<VisitorChat> = {}) => {
    keep(link, messages);
    setChat({ ...EMPTY, messages, ...more });
  };
  async function ask(messages: readonly VisitorMessage[]) {
    stop.current?.abort();
    const own = new AbortController();
    stop.current = own;
    let text = '';
    let end: Partial<VisitorChat> = { problem: 'The connection was lost before the answer was complete.' };
    show(messages, { draft: '' });
    try {
      for await (const event of askFlow(link, sentPart(messages), own.signal)) {
        if (event.kind === 'failed') end = { problem: event.text };
        else text = event.kind === 'done' ? event.text : text + event.text;
        if (event.kind === 'done') end = text === '' ? { problem: 'The flow gave no text.' } : {};
        if (event.kind === 'text' && !own.signal.aborted) setChat((before) => ({ ...before, draft: text }));
      }
    } catch (error) {
      end = own.signal.aborted ? {} : { problem: sentenceOf(error) };
    }
    if (stop.current !== own) return;
    stop.current = undefined;
    show(text === '' ? messages : [...messages, { role: 'assistant', content: text }], end);
  }
  const { messages } = chat;
  return {
    ...chat,
    isBusy: chat.draft !== undefined,
    send: (content: string) => void ask([...messages, { role: 'user', content }]),
    /** Asks for another answer to the last message. */
    retry: () => void ask(messages.slice(0, messages.findLastIndex(({ role }) => role === 'user') + 1)),
    stop: () => stop.current?.abort(),
    clear() {
      stop.current?.abort();
      stop.current = undefined;
      show([]);
    },
  };
}

/** The latest messages, from one of the visitor on. */
function sentPart(messages: readonly VisitorMessage[]): readonly VisitorMessage[] {
  const latest = messages.slice(-MAX_SENT);
  return latest.slice(latest.findIndex(({ role }) => role === 'user'));
}

const keyOf = (link: string) => `croft.visitor.${link}`;

function readKept(link: string): readonly VisitorMessage[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(link)) ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

function keep(link: string, messages: readonly VisitorMessage[]): void {
  try {
    sessionStorage.setItem(keyOf(link), JSON.stringify(messages.slice(-MAX_KEPT)));
  } catch {
    // Without storage the conversation lasts until the page is left.
  }
}
