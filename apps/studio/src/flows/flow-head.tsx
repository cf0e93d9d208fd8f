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
    <div className="grid gap-1 border-b border-line bg-surface px-4 py-3 md:px-5">
      <Link to="/flows" className="flex w-fit items-center gap-1 rounded-sm text-sm text-soft hovered:text-ink">
        <ChevronLeft size={15} aria-hidden="true" /> All flows
      </Link>
      <PageHead
        title={name}
        actions={actions}
        beside={
          onRename && (
            <IconButton label="Rename the flow" className="size-8 text-soft" onClick={() => setIsRenaming(true)}>
              <Pencil size={16} />
            </IconButton>
          )
        }
      />
      <FlowNav id={id} />
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
