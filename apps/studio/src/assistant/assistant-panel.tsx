import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { componentsQuery } from '../api/flows.ts';
import { cn } from '../ui/class-names.ts';
import { useKeptInput } from '../shell/use-kept-input.ts';
import { sentenceOf } from '../ui/state.tsx';
import { toast } from '../ui/toast.tsx';
import { isField } from '../inspector/focus-field.ts';
import { whenSaved } from '../inspector/when-saved.ts';
import type { AssistantFlow } from './assistant-flow.ts';
import { createAssistantServer } from './assistant-server.ts';
import { createAssistantStore } from './assistant-store.ts';
import { isRefining, turnUnderWay } from './chat.ts';
import { ChatList } from './chat-list.tsx';
import { Composer } from './composer.tsx';
import type { Kept } from './kept.ts';
import { PanelHead } from './panel-head.tsx';
import { openPlan } from './plan-ghosts.ts';
import { ProviderDialog } from './provider-dialog.tsx';
import { ProviderNotice } from './provider-notice.tsx';
import { ResizeHandle, usePanelSize } from './resize-handle.tsx';
import { useDocking } from './use-docking.ts';
import { useOwnSteps } from './use-own-steps.ts';
import { useShowBuilt } from './use-show-built.ts';
import { useAnnouncement } from './use-announcement.ts';

/**
 * The assistant over the canvas: start reading here. It stays mounted while it is closed, so that its turn is followed
 * and the canvas stays locked.
 */
export function AssistantPanel({
  kept,
  isOpen,
  focusBefore,
  onClose,
  ...flow
}: AssistantFlow & {
  kept: Kept;
  isOpen: boolean;
  /** Has the element that had the focus when the user opened the panel. */
  focusBefore: RefObject<Element | null>;
  onClose: () => void;
}) {
  const { flowId, edits, isReadOnly } = flow;
  const latest = useRef(flow);
  latest.current = flow;
  const client = useQueryClient();
  const [store] = useState(() =>
    createAssistantStore({
      server: createAssistantServer(flowId),
      kept,
      flowId,
      whenSaved: () => (isReadOnly ? Promise.resolve(true) : whenSaved(edits)),
      versionNow: () => edits.get().version,
      onRun: (id, version) => latest.current.onRun(id, version),
      onComponents: () => void client.invalidateQueries({ queryKey: componentsQuery.queryKey }),
      onError: (error, what) => toast({ tone: 'bad', text: `${what} ${sentenceOf(error)}` }),
    }),
  );
  useEffect(() => store.open(), [store]);
  const state = useSyncExternalStore(store.subscribe, store.get);
  const { chat } = state;
  const working = turnUnderWay(chat);
  const isLocked = working !== undefined;
  useEffect(() => {
    latest.current.onLock(isLocked);
    return () => latest.current.onLock(false);
  }, [isLocked]);
  const plan = openPlan(chat);
  useEffect(() => {
    latest.current.onPlan(plan);
    return () => latest.current.onPlan(undefined);
  }, [plan]);
  useOwnSteps(chat, flow.version, edits);
  useShowBuilt(chat, flow.version, () => latest.current.onBuilt());
  const [isSettingUp, setIsSettingUp] = useState(false);
  const [text, setText] = useKeptInput(`assistant-${flowId}`, '');
  const field = useRef<HTMLTextAreaElement>(null);
  const { size, resize } = usePanelSize(kept);
  const { isDocked, dockedWidth, toggle } = useDocking(kept, isOpen, size.width);
  const announcement = useAnnouncement(chat);
  useEffect(() => {
    const { activeElement } = document;
    // The code of the panel may arrive late, while the user types in another field.
    const isTyping = isField(activeElement) && activeElement !== focusBefore.current;
    if (isOpen && !isTyping) field.current?.focus();
  }, [isOpen, focusBefore]);
  const hasFocus = useRef(false);
  useEffect(() => {
    // A button that decided something is gone, and the focus with it.
    if (hasFocus.current && document.activeElement === document.body) field.current?.focus();
  }, [chat]);
  const edit = (message: string) => {
    setText(message);
    field.current?.focus();
  };
  return (
    <section
      aria-label="Assistant"
      hidden={!isOpen}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
      onFocus={() => {
        hasFocus.current = true;
      }}
      onBlur={() => {
        hasFocus.current = false;
      }}
      style={isDocked ? { width: dockedWidth } : size}
      className={cn(
        'nokeys fixed z-40 flex min-h-0 flex-col border-line bg-raised text-base text-ink',
        isDocked
          ? 'inset-y-0 right-0 border-l'
          : 'right-4 bottom-4 max-h-[calc(100dvh-2rem)] max-w-[calc(100vw-2rem)] animate-rise rounded-xl border shadow-float',
        // The column of the run stays visible. It is 22rem wide.
        !isDocked && 'lg:right-[23rem] lg:max-w-[calc(100vw-24rem)]',
        'max-sm:inset-x-0 max-sm:bottom-0 max-sm:h-[85dvh]! max-sm:w-full! max-sm:max-w-full max-sm:rounded-b-none',
        !isOpen && 'hidden',
      )}
    >
      {!isDocked && <ResizeHandle size={size} onResize={resize} />}
      <PanelHead
        flowId={flowId}
        chat={chat}
        skipAll={state.skipAll}
        store={store}
        isDocked={isDocked}
        onDock={toggle}
        onClose={onClose}
      />
      <ChatList flow={flow} state={state} store={store} onEdit={edit}>
        <ProviderNotice onSetUp={() => setIsSettingUp(true)} />
      </ChatList>
      <Composer
        ref={field}
        text={text}
        onText={setText}
        flow={flow}
        kept={kept}
        store={store}
        model={state.model}
        working={working}
        isRefining={isRefining(chat)}
        onSetUp={() => setIsSettingUp(true)}
      />
      <ProviderDialog isOpen={isSettingUp} onClose={() => setIsSettingUp(false)} />
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </section>
  );
}
