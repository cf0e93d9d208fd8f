import { Upload } from 'lucide-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { toast } from '../ui/toast.tsx';

/** A part of the page that takes files dropped on it. The button beside it does the same without a mouse. */
export function DropZone({
  name,
  onFiles,
  children,
}: {
  name: string;
  onFiles: (files: File[]) => void;
  children: ReactNode;
}) {
  const [over, setOver] = useState(false);
  const depth = useRef(0);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  function enter(event: DragEvent, by: number) {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth.current += by;
    setOver(depth.current > 0);
  }
  function drop(event: DragEvent) {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth.current = 0;
    setOver(false);
    const items = [...event.dataTransfer.items].filter(({ kind }) => kind === 'file');
    const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry?.()?.isDirectory ?? false;
    if (items.some(isFolder)) toast({ tone: 'bad', text: 'Folders cannot be dropped here. Drop the files in them.' });
    onFiles(items.filter((item) => !isFolder(item)).flatMap((item) => item.getAsFile() ?? []));
  }
  return (
    <div
      onDragEnter={(event) => enter(event, 1)}
      onDragLeave={(event) => enter(event, -1)}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDrop={drop}
      className="relative"
    >
      {children}
      {over && (
        <div className="pointer-events-none absolute inset-0 z-20 grid place-items-center rounded-lg border-2 border-dashed border-accent bg-accent-soft/95">
          <p className="flex items-center gap-2.5 font-medium text-accent-strong">
            <Upload size={20} aria-hidden="true" /> Drop to upload to {name}
          </p>
        </div>
      )}
    </div>
  );
}
