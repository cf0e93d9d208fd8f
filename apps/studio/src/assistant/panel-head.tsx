import { useQuery, useQueryClient } from '@tanstack/react-query';
import { BotMessageSquare, History, MessageSquarePlus, PanelRight, PictureInPicture2, X, Zap } from 'lucide-react';
import { assistantSessionsQuery } from '../api/assistant.ts';
import { formatWhen } from '../files/format.ts';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { sentenceOf } from '../ui/state.tsx';
import type { AssistantStore } from './assistant-store.ts';
import type { Chat } from './chat.ts';

/** The title of the panel, its modes and its conversations. */
export function PanelHead({
  flowId,
  chat,
  skipAll,
  store,
  isDocked,
  onDock,
  onClose,
}: {
  flowId: string;
  chat: Chat;
  skipAll: boolean;
  store: AssistantStore;
  isDocked: boolean;
  /** Puts the panel beside the canvas, or over it again. */
  onDock: (() => void) | undefined;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const refresh = () => void client.invalidateQueries({ queryKey: assistantSessionsQuery(flowId).queryKey });
  return (
    <div className="flex items-center gap-1 border-b border-line py-1.5 pr-1.5 pl-4">
      <h2 className="flex items-center gap-2 font-semibold">
        <BotMessageSquare size={17} aria-hidden="true" className="text-accent" /> Assistant
      </h2>
      {skipAll && (
        <span
          data-testid="assistant-skip-all-badge"
          title="Plans and built flows are used without asking. Send /skip-all to turn it off."
          className="ml-1"
        >
          <Badge>
            <Zap size={12} aria-hidden="true" /> Skip-all
          </Badge>
        </span>
      )}
      <span className="grow" />
      <IconButton label="New session" onClick={() => void store.newSession()}>
        <MessageSquarePlus size={17} />
      </IconButton>
      <Menu
        trigger={
          <IconButton label="Earlier sessions" onPointerDown={refresh} onKeyDown={refresh}>
            <History size={17} />
          </IconButton>
        }
      >
        <Sessions flowId={flowId} current={chat.sessionId} onPick={(id) => void store.loadSession(id)} />
      </Menu>
      {onDock && (
        <IconButton label={isDocked ? 'Float over the canvas' : 'Dock beside the canvas'} onClick={onDock}>
          {isDocked ? <PictureInPicture2 size={17} /> : <PanelRight size={17} />}
        </IconButton>
      )}
      <IconButton label="Close the assistant" onClick={onClose}>
        <X size={18} />
      </IconButton>
    </div>
  );
}

function Sessions({ flowId, current, onPick }: { flowId: string; current: string; onPick: (id: string) => void }) {
  const { data, error } = useQuery(assistantSessionsQuery(flowId));
  const hint = 'px-2.5 py-1.5 text-sm text-soft';
  if (error && !data) return <p className={hint}>The sessions cannot be listed. {sentenceOf(error)}</p>;
  if (!data) return <p className={hint}>Loading…</p>;
  if (data.sessions.length === 0) return <p className={hint}>No messages about this flow yet</p>;
  return data.sessions.map(({ session_id, preview, turns, updated_at }) => (
    <MenuItem key={session_id} className="max-w-80" onSelect={() => onPick(session_id)}>
      <span className="min-w-0">
        <span className="block truncate font-medium">{preview}</span>
        <span className="block text-xs text-soft">
          {turns} {turns === 1 ? 'message' : 'messages'} · {formatWhen(updated_at)}
          {session_id === current && ' · shown'}
        </span>
      </span>
    </MenuItem>
  ));
}
