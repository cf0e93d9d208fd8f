import { Upload } from 'lucide-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { NameText } from '../ui/name-text.tsx';
import { type PickedFiles, readDrop } from './picked-files.ts';

/** A part of the page that takes files and folders dropped on it. The buttons beside it do the same without a mouse. */
export function DropZone({
  name,
  onFiles,
  children,
}: {
  name: string;
  /** Absent where nothing can be added. */
  onFiles: ((files: Promise<PickedFiles>) => void) | undefined;
  children: ReactNode;
}) {
  const [over, setOver] = useState(false);
  const depth = useRef(0);
  const hasFiles = (event: DragEvent) => onFiles !== undefined && event.dataTransfer.types.includes('Files');
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
    onFiles?.(readDrop(event.dataTransfer));
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
            <Upload size={20} aria-hidden="true" />
            <span>
              Drop to upload to <NameText name={name} />
            </span>
          </p>
        </div>
      )}
    </div>
  );
}
