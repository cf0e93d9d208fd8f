import { Paperclip, SendHorizontal, Square, X } from 'lucide-react';
import { type ClipboardEvent, type ReactNode, useState } from 'react';
import { FileIcon } from '../files/file-icon.tsx';
import { nameOf } from '../files/paths.ts';
import { FilePicker } from '../inspector/file-picker.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { cn } from '../ui/class-names.ts';
import { NameText } from '../ui/name-text.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { spelledName } from '../ui/unseen-characters.ts';
import { withFiles } from './message-files.ts';
import { useAttachments } from './use-attachments.ts';
import type { MessageField } from './use-message-field.ts';

/** The field for the next message, with files. */
export function Composer({
  isBusy,
  isBeginning,
  field,
  onSend,
  onStop,
  above,
}: {
  /** A run is under way. */
  isBusy: boolean;
  /** The run cannot be stopped yet. */
  isBeginning: boolean;
  field: MessageField;
  onSend: (text: string) => void;
  onStop: () => void;
  above: ReactNode;
}) {
  const [isChoosing, setIsChoosing] = useState(false);
  const files = useAttachments();
  const [isOver, setIsOver] = useState(false);
  const message = withFiles(field.text, files.paths);
  const canSend = !isBusy && !files.isUploading && message !== '';
  function send() {
    if (!canSend) return;
    onSend(message);
    field.fill('');
    files.clear();
  }
  function paste(event: ClipboardEvent) {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    files.upload([...event.clipboardData.files]);
  }
  return (
    <div className="z-10 border-t border-line bg-canvas px-4 py-3 max-md:sticky max-md:bottom-14 md:px-6">
      <div className="mx-auto grid w-full max-w-3xl grid-cols-1 gap-2">
        {above}
        <div
          onDragOver={(event) => {
            if (!event.dataTransfer.types.includes('Files')) return;
            event.preventDefault();
            setIsOver(true);
          }}
          onDragLeave={() => setIsOver(false)}
          onDrop={(event) => {
            if (!event.dataTransfer.types.includes('Files')) return;
            event.preventDefault();
            setIsOver(false);
            files.upload([...event.dataTransfer.files]);
          }}
          className={cn(
            'grid grid-cols-1 gap-2 rounded-lg border bg-surface p-2 shadow-card focus-within:border-accent',
            isOver ? 'border-accent bg-accent-soft' : 'border-edge',
          )}
        >
          {files.list.length > 0 && (
            <ul aria-label="Files of the message" className="flex flex-wrap gap-1.5">
              {files.list.map(({ key, path, isUploading }) => (
                <li
                  key={key}
                  className="flex max-w-full items-center gap-1.5 rounded-md border border-line bg-sunken pl-2 text-sm"
                >
                  {isUploading ? <Spinner className="size-3.5" /> : <FileIcon name={nameOf(path)} type="file" />}
                  <span className="min-w-0 truncate" title={path}>
                    <NameText name={nameOf(path)} />
                  </span>
                  <IconButton
                    label={`Leave out ${spelledName(nameOf(path))}`}
                    className="size-8"
                    onClick={() => files.remove(key)}
                  >
                    <X size={14} />
                  </IconButton>
                </li>
              ))}
            </ul>
          )}
          <textarea
            {...field.props(send)}
            aria-label="Message"
            rows={1}
            placeholder={isOver ? 'Drop to attach' : 'Write a message'}
            onPaste={paste}
            className="field-sizing-content max-h-[30dvh] min-h-9 w-full resize-none bg-transparent px-2 py-1.5 outline-none max-sm:text-[1rem]"
          />
          <div className="flex items-center justify-between gap-2">
            <Button small look="quiet" onClick={() => setIsChoosing(true)}>
              <Paperclip size={15} aria-hidden="true" /> Attach a file
            </Button>
            {isBusy && !isBeginning ? (
              <Button key="stop" small onClick={onStop}>
                <Square size={14} aria-hidden="true" /> Stop
              </Button>
            ) : (
              <Button key="send" small look="primary" busy={isBeginning} aria-disabled={!canSend} onClick={send}>
                Send <SendHorizontal size={15} aria-hidden="true" />
              </Button>
            )}
          </div>
        </div>
        <p role="alert" className="text-sm text-bad empty:hidden">
          {files.problem}
        </p>
      </div>
      {isChoosing && (
        <FilePicker
          value=""
          onPick={(path) => {
            files.add(path);
            setIsChoosing(false);
            field.input.current?.focus();
          }}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </div>
  );
}
