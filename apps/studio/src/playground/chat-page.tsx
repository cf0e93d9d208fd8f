import { MessagesSquare, Plus } from 'lucide-react';
import { useState } from 'react';
import type { OpenFlow } from '../flows/with-flow.tsx';
import { navigate, usePlace } from '../routing/location.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ChatView } from './chat-view.tsx';
import { newSession, toPlayground } from './new-session.ts';
import { SessionList } from './session-list.tsx';

/** Conversations with a flow: their list, and one of them. The address names it; without a name it is a new one. */
export function ChatPage({ open }: { open: OpenFlow }) {
  const { flow } = open;
  const named = usePlace().query.get('chat') ?? undefined;
  const [fresh, setFresh] = useState(newSession);
  const [isListOpen, setIsListOpen] = useState(false);
  const session = named ?? fresh;
  function go(to: string | undefined) {
    setIsListOpen(false);
    setFresh(newSession());
    navigate(toPlayground(flow.id, to));
  }
  const list = (
    <SessionList flowId={flow.id} current={session} onOpen={go} onDeleted={(id) => id === session && go(undefined)} />
  );
  const start = (
    <Button small onClick={() => go(undefined)}>
      <Plus size={15} aria-hidden="true" /> New chat
    </Button>
  );
  return (
    <div className="grid min-h-0 grow grid-cols-1 max-md:grid-rows-[auto_minmax(0,1fr)] md:grid-cols-[15rem_minmax(0,1fr)]">
      <div className="flex justify-between gap-2 border-b border-line px-4 py-2 md:hidden">
        <Button small look="quiet" onClick={() => setIsListOpen(true)}>
          <MessagesSquare size={15} aria-hidden="true" /> Chats
        </Button>
        {start}
      </div>
      <aside
        aria-label="Chats"
        className="grid min-h-0 content-start gap-3 overflow-y-auto border-r border-line bg-surface p-3 max-md:hidden"
      >
        {start}
        {list}
      </aside>
      <ChatView
        key={session}
        open={open}
        session={session}
        isNew={named === undefined}
        isStored={session !== fresh}
        onStored={() => navigate(toPlayground(flow.id, session), { replace: true })}
        onNew={() => go(undefined)}
      />
      {isListOpen && (
        <Dialog open title="Chats" onClose={() => setIsListOpen(false)}>
          {list}
        </Dialog>
      )}
    </div>
  );
}
