import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from '../routing/link.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { FlowNav } from './flow-nav.tsx';

/** The head of a page of one flow: its name, and links to its other pages. */
export function FlowHead({ id, name, actions }: { id: string; name: string; actions?: ReactNode }) {
  return (
    <div className="grid gap-1 border-b border-line bg-surface px-4 py-3 md:px-5">
      <Link to="/flows" className="flex w-fit items-center gap-1 rounded-sm text-sm text-soft hovered:text-ink">
        <ChevronLeft size={15} aria-hidden="true" /> All flows
      </Link>
      <PageHead title={name} actions={actions} />
      <FlowNav id={id} />
    </div>
  );
}
