import { useQuery } from '@tanstack/react-query';
import { Plus, RotateCcw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { apiQuery } from '../api/api.ts';
import { ApiError } from '../api/request.ts';
import { AnswerText } from '../playground/answer-text.tsx';
import { ChatLog } from '../playground/chat-log.tsx';
import { ChatStart } from '../playground/chat-start.tsx';
import { useMessageField } from '../playground/use-message-field.ts';
import { usePlace } from '../routing/location.ts';
import { Mark } from '../shell/mark.tsx';
import { Splash } from '../shell/page-skeleton.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { Callout, ErrorState } from '../ui/state.tsx';
import { useVisitorChat } from './use-visitor-chat.ts';
import { VisitorField } from './visitor-field.tsx';
import { VISITOR_TEXT } from './visitor-text.tsx';

/** The page of a public link: a chat with one flow, for visitors without an account. Start reading here. */
export function PublicPage() {
  const link = usePlace().path.split('/')[2] ?? '';
  const { data, error, refetch } = useQuery({
    ...apiQuery('GET /api/v1/public/{link}', { params: { link } }),
    retry: false,
  });
  useEffect(() => {
    document.title = data?.name ?? 'Croft';
  }, [data?.name]);
  if (data) return <PublicChat key={link} link={link} flow={data} />;
  if (!error) return <Splash />;
  const isGone = error instanceof ApiError && error.status === 404;
  const isPaused = error instanceof ApiError && error.code === 'unavailable';
  return (
    <main className="grid min-h-dvh place-items-center">
      <ErrorState
        isPage
        title={
          isGone
            ? 'Nothing is here any more'
            : isPaused
              ? 'This page is not available at the moment'
              : 'This page cannot be shown'
        }
        error={isGone ? new Error('Ask the person who gave you this link for a new one.') : error}
        {...(!isGone && { onRetry: () => void refetch() })}
      />
    </main>
  );
}

function PublicChat({
  link,
  flow: { name, description, sample },
}: {
  link: string;
  flow: { readonly name: string; readonly description: string; readonly sample: string };
}) {
  const chat = useVisitorChat(link);
  const field = useMessageField(useState(''));
  const { messages, draft, problem, isBusy } = chat;
  return (
    <main className="flex h-dvh flex-col">
      <header className="flex items-center gap-3 border-b border-line bg-surface px-4 py-3 md:px-6">
        <Mark className="size-6 shrink-0" />
        <div className="min-w-0 grow">
          <h1 className="truncate font-semibold tracking-tight">{name}</h1>
          {description !== '' && <p className="truncate text-sm text-soft">{description}</p>}
        </div>
        {messages.length > 0 && (
          <Button small onClick={chat.clear}>
            <Plus size={15} aria-hidden="true" /> New chat
          </Button>
        )}
      </header>
      <ChatLog sent={messages.filter(({ role }) => role === 'user').length} fills>
        {messages.length === 0 && <ChatStart name={name} sample={sample} onSample={field.fill} isPublic />}
        {messages.map(({ role, content }, at) =>
          role === 'user' ? (
            <Said key={`${at} ${role}`} text={content} />
          ) : (
            <Answer
              key={`${at} ${role}`}
              text={content}
              onRetry={at === messages.length - 1 ? chat.retry : undefined}
            />
          ),
        )}
        {draft !== undefined && draft !== '' && <AnswerText text={draft} components={VISITOR_TEXT} />}
        <p role="status" className="flex items-center gap-2 text-sm text-soft empty:hidden">
          {isBusy && (
            <>
              <Spinner className="size-3.5" /> {draft === '' ? 'Working' : 'Writing'}
            </>
          )}
          {!isBusy && messages.at(-1)?.role === 'assistant' && <span className="sr-only">The answer is complete.</span>}
        </p>
        {problem !== undefined && (
          <Callout tone="bad" role="alert">
            <p>{problem}</p>
            <Button small className="mt-2" onClick={chat.retry}>
              <RotateCcw size={14} aria-hidden="true" /> Try again
            </Button>
          </Callout>
        )}
      </ChatLog>
      <VisitorField isBusy={isBusy} field={field} onSend={chat.send} onStop={chat.stop} />
    </main>
  );
}

function Said({ text }: { text: string }) {
  return (
    <div className="grid max-w-[85%] justify-items-end justify-self-end">
      <span className="sr-only">You wrote</span>
      <p className="rounded-xl rounded-br-sm bg-selected px-3.5 py-2 whitespace-pre-wrap [overflow-wrap:anywhere]">
        {text}
      </p>
    </div>
  );
}

function Answer({ text, onRetry }: { text: string; onRetry: (() => void) | undefined }) {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-2">
      <span className="sr-only">The answer</span>
      <AnswerText text={text} components={VISITOR_TEXT} />
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label="Copy" small />
        {onRetry && (
          <Button small onClick={onRetry}>
            <RotateCcw size={14} aria-hidden="true" /> Answer again
          </Button>
        )}
      </div>
    </div>
  );
}
