import { ChevronLeft, Pencil } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from '../routing/link.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { IconButton } from '../ui/button.tsx';
import { DetailsDialog, type FlowDetails } from './details-dialog.tsx';
import { FlowNav } from './flow-nav.tsx';

/** The head of a page of one flow: its name, and links to its other pages. */
export function FlowHead({
  id,
  name,
  description,
  actions,
  onRename,
}: {
  id: string;
  name: string;
  description?: string;
  actions?: ReactNode;
  /** Absent where the flow cannot be edited on this page. */
  onRename?: ((changed: Partial<FlowDetails>) => Promise<void>) | undefined;
}) {
  const [isRenaming, setIsRenaming] = useState(false);
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-1 border-b border-line bg-surface px-4 py-3 max-md:py-2 max-md:pb-3 md:grid-cols-[minmax(0,1fr)_auto] md:px-5">
      <Link
        to="/flows"
        className="flex min-h-8 w-fit items-center gap-1 rounded-sm text-sm whitespace-nowrap text-soft hovered:text-ink md:min-h-0"
      >
        <ChevronLeft size={15} aria-hidden="true" /> All flows
      </Link>
      {/* On a phone beside the way back, so that the canvas and the run begin higher. */}
      <div className="flex flex-wrap gap-2 max-md:justify-end md:row-span-2 md:self-end">{actions}</div>
      <div className="min-w-0 max-md:col-span-full">
        <PageHead
          isShort
          title={name}
          beside={
            onRename && (
              <IconButton label="Rename the flow" className="size-8 text-soft" onClick={() => setIsRenaming(true)}>
                <Pencil size={16} />
              </IconButton>
            )
          }
        />
      </div>
      <div className="col-span-full min-w-0">
        <FlowNav id={id} />
      </div>
      {isRenaming && onRename && (
        <DetailsDialog
          details={{ name, description: description ?? '' }}
          onSave={onRename}
          onClose={() => setIsRenaming(false)}
        />
      )}
    </div>
  );
}
