import { Paperclip } from 'lucide-react';
import type { ChatMessage } from '../api/chats.ts';
import { folderOf, nameOf } from '../files/paths.ts';
import { toFilesPlace } from '../files/place-of-files.ts';
import { Link } from '../routing/link.tsx';
import { NameText } from '../ui/name-text.tsx';
import { AnswerText } from './answer-text.tsx';
import { splitFiles } from './message-files.ts';

/** A message of the user, with its files as links. */
export function UserMessage({ text: message }: { text: string }) {
  const { text, paths } = splitFiles(message);
  return (
    <div className="grid max-w-[85%] justify-items-end gap-1.5 justify-self-end">
      <span className="sr-only">You wrote</span>
      {text !== '' && (
        <p className="rounded-xl rounded-br-sm bg-selected px-3.5 py-2 whitespace-pre-wrap [overflow-wrap:anywhere]">
          {text}
        </p>
      )}
      {paths.map((path) => (
        <Link
          key={path}
          to={toFilesPlace({ dir: folderOf(path), file: path })}
          className="flex max-w-full items-center gap-1.5 rounded-md border border-line bg-surface px-2.5 py-1 text-sm hovered:bg-hover"
        >
          <Paperclip size={14} aria-hidden="true" className="shrink-0 text-soft" />
          <span className="truncate">
            <NameText name={nameOf(path)} />
          </span>
        </Link>
      ))}
    </div>
  );
}

/** The default name of the sender of an answer, which is not shown. */
const USUAL_NAME = 'AI';

/** A message of the flow. */
export function FlowMessage({ message: { text, senderName, isCut } }: { message: ChatMessage }) {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-1">
      {senderName === USUAL_NAME ? (
        <span className="sr-only">The flow answered</span>
      ) : (
        <span className="text-sm font-medium text-soft">{senderName}</span>
      )}
      <AnswerText text={text} />
      {isCut && (
        <p className="text-sm text-warn">The end of this message was not kept: it is too long for the history.</p>
      )}
    </div>
  );
}
