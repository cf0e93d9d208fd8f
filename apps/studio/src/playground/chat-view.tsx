import { nodeTitle } from '@croft/flow';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { MessageSquareOff } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { messagesQuery } from '../api/chats.ts';
import { runQuery } from '../api/runs.ts';
import { NO_VALUES, runFields, runInputs } from '../canvas/run-fields.ts';
import type { OpenFlow } from '../flows/with-flow.tsx';
import { RunProvider } from '../inspector/answer-run.tsx';
import { useKeptInput } from '../shell/use-kept-input.ts';
import { Button } from '../ui/button.tsx';
import { ShowMore } from '../ui/show-more.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { ErrorState, sentenceOf } from '../ui/state.tsx';
import { toast } from '../ui/toast.tsx';
import { ChatInputs } from './chat-inputs.tsx';
import { ChatLog } from './chat-log.tsx';
import { ChatStart } from './chat-start.tsx';
import { Composer } from './composer.tsx';
import { LiveTurnView } from './live-turn-view.tsx';
import { StoredTurn } from './stored-turn.tsx';
import { hasAnswer, type Turn, turnsOf } from './turns.ts';
import { useChat } from './use-chat.ts';
import { useMessageField } from './use-message-field.ts';

const UNDER_WAY: ReadonlySet<string> = new Set(['queued', 'running', 'waiting', 'needs_attention']);

/** One conversation: its messages, and the field for the next one. */
export function ChatView({
  open: { flow, document, registry },
  session,
  isNew,
  isStored,
  onStored,
  onNew,
}: {
  open: OpenFlow;
  session: string;
  /** The address does not name it: the next new conversation begins with its text. */
  isNew: boolean;
  /** Whether the server has the conversation already. */
  isStored: boolean;
  /** A first message was sent. */
  onStored: () => void;
  onNew: () => void;
}) {
  const chat = useChat({ id: flow.id, document, registry }, session);
  const { live, isBusy } = chat;
  const hasBegun = live?.runId !== undefined && !isBusy;
  const stored = useInfiniteQuery({ ...messagesQuery(flow.id, session), enabled: isStored || hasBegun, retry: false });
  const turns = useMemo(() => turnsOf(stored.data?.pages.flatMap(({ messages }) => messages) ?? []), [stored.data]);
  const entry = document.nodes.find(({ type }) => type === 'ChatInput')?.id;
  const fields = useMemo(
    () => runFields(document, registry).filter(({ node }) => node !== entry),
    [document, registry, entry],
  );
  const [values, setValues] = useKeptInput(`run-${flow.id}`, NO_VALUES);
  const field = useMessageField(useKeptInput(`message-${flow.id}-${isNew ? '' : session}`, ''));
  useResumed(chat, turns.at(-1));
  const nodes = new Map(document.nodes.map((node) => [node.id, node]));
  const titleOf = (id: string) => {
    const node = nodes.get(id);
    return node ? nodeTitle(node, registry) : id;
  };
  const inputs = () => runInputs(fields, values);
  async function send(text: string) {
    if ((await chat.send(text, inputs())) && !isStored) onStored();
  }
  function retry(text: string, turn: Turn | undefined) {
    chat.retry(text, turn, inputs()).then(
      (hasStarted) => hasStarted && !isStored && onStored(),
      (error: unknown) => toast({ tone: 'bad', text: `The message was not sent again. ${sentenceOf(error)}` }),
    );
  }
  const earlier = turns.filter(({ runId }) => runId !== live?.runId);
  const isEmpty = !live && turns.length === 0;
  const sample = nodes.get(entry ?? '')?.values['input_value'];
  if (stored.error && !stored.data)
    return (
      <ErrorState
        title="This chat cannot be shown"
        error={stored.error}
        onRetry={() => void stored.refetch()}
        action={
          <Button look="primary" onClick={onNew}>
            <MessageSquareOff size={16} aria-hidden="true" /> New chat
          </Button>
        }
      />
    );
  return (
    <RunProvider running={chat}>
      <section aria-label="Chat" className="flex min-h-0 min-w-0 flex-col">
        <ChatLog sent={chat.sent}>
          <ShowMore query={stored} small>
            Show earlier messages
          </ShowMore>
          {isStored && stored.isPending && <SkeletonLines label="Loading the messages" lines={6} />}
          {isEmpty && !(isStored && stored.isPending) && (
            <ChatStart name={flow.name} sample={typeof sample === 'string' ? sample : ''} onSample={field.fill} />
          )}
          {earlier.map((turn, at) => (
            <StoredTurn
              key={turn.runId}
              turn={turn}
              titleOf={titleOf}
              onRetry={!live && at === earlier.length - 1 ? retry : undefined}
            />
          ))}
          {live && (
            <LiveTurnView
              chat={chat}
              live={live}
              flowId={flow.id}
              stored={turns.find(({ runId }) => runId === live.runId)}
              titleOf={titleOf}
              onRetry={retry}
            />
          )}
        </ChatLog>
        <Composer
          isBusy={isBusy}
          isBeginning={isBusy && live?.runId === undefined}
          field={field}
          onSend={(text) => void send(text)}
          onStop={() => void chat.stop()}
          above={fields.length > 0 && <ChatInputs fields={fields} values={values} onValues={setValues} />}
        />
      </section>
    </RunProvider>
  );
}

/** Follows the run of the latest message where it is still under way, such as after a reload. */
function useResumed({ live, resume }: ReturnType<typeof useChat>, last: Turn | undefined) {
  const isOpen = live === undefined && last !== undefined && !hasAnswer(last);
  const { data } = useQuery({ ...runQuery(last?.runId ?? ''), enabled: isOpen });
  const isRunning = isOpen && data !== undefined && data.id === last.runId && UNDER_WAY.has(data.status);
  const latest = useRef(resume);
  latest.current = resume;
  useEffect(() => {
    if (isRunning && last) latest.current(last);
  }, [isRunning, last]);
}
