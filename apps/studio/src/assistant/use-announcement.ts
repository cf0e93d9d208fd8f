import type { Outcome } from '@croft/assistant/events';
import { useEffect, useRef, useState } from 'react';
import type { Chat } from './chat.ts';
import { outcomeOf } from './turn-status.ts';
import { isUnderWay, type TurnView } from './turn-view.ts';

const MAX_TEXT = 600;

/**
 * The text that a screen reader announces: each reply once, when it is complete, and each question. Tokens are not announced, nor
 * turns that ended before the panel showed them.
 */
export function useAnnouncement({ entries }: Chat): string {
  const [text, setText] = useState('');
  const last = entries.at(-1);
  const turn = last?.kind === 'exchange' ? last.turns.at(-1) : undefined;
  const note = last?.kind === 'note' ? last.text : undefined;
  const followed = useRef<string>(undefined);
  const { key, status } = turn ?? {};
  const latest = useRef(turn);
  latest.current = turn;
  useEffect(() => {
    if (note !== undefined) setText(note);
  }, [note, last?.key]);
  useEffect(() => {
    const { current } = latest;
    if (current === undefined) return;
    if (isUnderWay(current)) followed.current = current.key;
    if (followed.current !== current.key) return;
    if (current.question) setText(`The assistant asks: ${current.question.text}`);
    else setText(isUnderWay(current) ? '' : spoken(current));
  }, [key, status]);
  return text;
}

const OUTCOMES: Readonly<Record<Outcome, string>> = {
  done: '',
  partly_done: 'Done in part. ',
  not_done: 'Not done. ',
};

function spoken(turn: TurnView): string {
  const { text, failure } = turn;
  const said = failure ? [failure.message, failure.detail].filter(Boolean).join(' ') : text;
  return `Assistant: ${OUTCOMES[outcomeOf([turn])]}${said.length > MAX_TEXT ? `${said.slice(0, MAX_TEXT)}…` : said}`;
}
