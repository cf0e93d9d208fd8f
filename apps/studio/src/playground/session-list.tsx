import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { type ChatSession, sessionsQuery } from '../api/chats.ts';
import { formatWhen } from '../files/format.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { ShowMore } from '../ui/show-more.tsx';
import { cn } from '../ui/class-names.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { sentenceOf } from '../ui/state.tsx';
import { toast } from '../ui/toast.tsx';
import { RenameChat } from './rename-chat.tsx';

/** The user's conversations with a flow, the latest first. */
export function SessionList({
  flowId,
  current,
  onOpen,
  onDeleted,
}: {
  flowId: string;
  current: string;
  onOpen: (session: string) => void;
  onDeleted: (session: string) => void;
}) {
  const client = useQueryClient();
  const query = useInfiniteQuery(sessionsQuery(flowId));
  const [renaming, setRenaming] = useState<ChatSession>();
  const [deleting, setDeleting] = useState<ChatSession>();
  const [isBusy, setIsBusy] = useState(false);
  const sessions = query.data?.pages.flatMap((page) => page.sessions) ?? [];
  async function remove(asked: ChatSession) {
    setIsBusy(true);
    try {
      await api('DELETE /api/v1/flows/{id}/sessions/{session}', { params: { id: flowId, session: asked.id } });
      onDeleted(asked.id);
      toast({ text: 'Deleted the chat.' });
    } catch (error) {
      toast({ tone: 'bad', text: `The chat was not deleted. ${sentenceOf(error)}` });
    }
    setIsBusy(false);
    // The user may have closed the dialog meanwhile, and opened it for another chat.
    setDeleting((now) => (now === asked ? undefined : now));
    await client.invalidateQueries({ queryKey: sessionsQuery(flowId).queryKey });
  }
  if (query.isPending) return <SkeletonLines label="Loading the chats" lines={4} />;
  if (!query.data)
    return (
      <div role="alert" className="grid justify-items-start gap-2 px-1 text-sm text-bad">
        The chats cannot be listed. {sentenceOf(query.error)}
        <Button small onClick={() => void query.refetch()}>
          Try again
        </Button>
      </div>
    );
  if (sessions.length === 0)
    return <p className="px-1 text-sm text-soft">No chats yet. The first message begins one.</p>;
  return (
    <>
      <ul aria-label="Chats" className="grid grid-cols-1 gap-0.5">
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isCurrent={session.id === current}
            onOpen={() => onOpen(session.id)}
            onRename={() => setRenaming(session)}
            onDelete={() => setDeleting(session)}
          />
        ))}
      </ul>
      <ShowMore query={query} small />
      {renaming && <RenameChat flowId={flowId} session={renaming} onClose={() => setRenaming(undefined)} />}
      {deleting && (
        <ConfirmDialog
          title={`Delete “${deleting.name}”?`}
          about="Its messages are deleted too. You cannot restore them."
          action="Delete chat"
          busy={isBusy}
          onConfirm={() => void remove(deleting)}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}

function SessionRow({
  session: { name, messages, updatedAt },
  isCurrent,
  onOpen,
  onRename,
  onDelete,
}: {
  session: ChatSession;
  isCurrent: boolean;
  onOpen: () => void;
  onRename: () => void;
  onDelete: () => void;
}) {
  return (
    <li className={cn('flex items-center rounded-md hovered:bg-hover', isCurrent && 'bg-selected')}>
      <button
        type="button"
        aria-current={isCurrent ? 'true' : undefined}
        onClick={onOpen}
        className="min-w-0 grow rounded-md px-2 py-1.5 text-left"
      >
        <span className="block truncate text-sm font-medium">{name}</span>
        <span className="block text-xs text-soft">
          {formatWhen(updatedAt)} · {messages === 1 ? '1 message' : `${messages.toLocaleString('en')} messages`}
        </span>
      </button>
      <Menu
        trigger={
          <IconButton label={`Actions for ${name}`} className="text-soft">
            <Ellipsis size={16} />
          </IconButton>
        }
      >
        <MenuItem onSelect={onRename}>
          <Pencil size={15} aria-hidden="true" /> Rename
        </MenuItem>
        <MenuItem danger onSelect={onDelete}>
          <Trash2 size={15} aria-hidden="true" /> Delete
        </MenuItem>
      </Menu>
    </li>
  );
}
