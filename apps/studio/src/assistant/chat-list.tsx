import { useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { assistantConfigQuery } from '../api/assistant.ts';
import { listingQuery } from '../api/files.ts';
import { Button } from '../ui/button.tsx';
import { Callout, ErrorState } from '../ui/state.tsx';
import { useFollowedEnd } from '../ui/use-followed-end.ts';
import type { ChatParts } from './assistant-flow.ts';
import type { AssistantState } from './assistant-store.ts';
import { ExchangeItem } from './exchange-item.tsx';
import { OFFLINE, startersFor } from './starters.ts';

/** The messages, the newest at the end. Follows the end unless the user scrolled up, and again after a message of the user. */
export function ChatList({
  state: { chat, failure, model },
  children,
  ...parts
}: ChatParts & { state: AssistantState; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { toEnd } = useFollowedEnd(box, content);
  const { store } = parts;
  const { entries, sessionId } = chat;
  const sent = entries.flatMap((each): readonly unknown[] => (each.kind === 'exchange' ? each.turns : [each])).length;
  useEffect(toEnd, [toEnd, sessionId, sent]);
  return (
    <div
      ref={box}
      tabIndex={0}
      role="group"
      aria-label="Messages"
      className="min-h-0 grow overflow-y-auto focus-visible:-outline-offset-2"
    >
      <div ref={content} className="grid content-start gap-4 px-4 py-3">
        {children}
        {parts.flow.isReadOnly && (
          <Callout icon={<Lock size={16} />}>
            This flow is read-only for you: the assistant can explain and run it, and cannot change it.
          </Callout>
        )}
        {failure !== undefined && (
          <ErrorState
            title="This conversation cannot be read"
            error={failure}
            onRetry={() => void store.loadSession(sessionId)}
          />
        )}
        {entries.length === 0 && failure === undefined && (
          <Starters isEmpty={parts.flow.document.nodes.length === 0} model={model} onPick={parts.onEdit} />
        )}
        {entries.length > 0 && (
          <ol className="grid gap-5">
            {entries.map((entry, at) =>
              entry.kind === 'note' ? (
                <li key={entry.key} className="text-sm text-soft">
                  {entry.text}
                </li>
              ) : (
                <ExchangeItem key={entry.key} exchange={entry} hasCanvas={hasCanvasFrom(entries, at)} {...parts} />
              ),
            )}
          </ol>
        )}
      </div>
    </div>
  );
}

/** Whether a message, or one after it, changed a canvas that was kept before. */
const hasCanvasFrom = (entries: AssistantState['chat']['entries'], at: number): boolean =>
  entries.slice(at).some((each) => each.kind === 'exchange' && each.turns.some((turn) => turn.canRewindCanvas));

function Starters({
  isEmpty,
  model,
  onPick,
}: {
  isEmpty: boolean;
  /** The chosen one; empty for the preferred one. */
  model: string;
  onPick: (text: string) => void;
}) {
  const { data } = useQuery(assistantConfigQuery);
  const { data: listing } = useQuery(listingQuery(''));
  const files = (listing?.entries ?? []).flatMap(({ name, type }) => (type === 'file' ? [name] : []));
  const preferred = data === undefined ? OFFLINE : `${data.default_provider}/${data.default_model}`;
  return (
    <div className="grid gap-2">
      <p className="text-sm text-soft">
        Say what to build or change. Changes appear on the canvas, or in the reply for you to accept. You can revert
        each message.
      </p>
      {startersFor(isEmpty, model || preferred, files).map((text) => (
        <Button
          key={text}
          small
          look="quiet"
          className="justify-start! border-line! text-left whitespace-normal! py-1.5"
          onClick={() => onPick(text)}
        >
          {text}
        </Button>
      ))}
    </div>
  );
}
