import type { FlowDocument } from '@croft/flow';
import { useQuery } from '@tanstack/react-query';
import { Workflow } from 'lucide-react';
import { useMemo } from 'react';
import { componentsQuery, flowQuery } from '../api/flows.ts';
import { Link } from '../routing/link.tsx';
import { usePlace } from '../routing/location.ts';
import { PageHead } from '../shell/page-head.tsx';
import { PageSkeleton } from '../shell/page-skeleton.tsx';
import { buttonClass } from '../ui/button.tsx';
import { EmptyState, ErrorState } from '../ui/state.tsx';
import { viewNode } from './node-view.ts';
import { Outline } from './outline.tsx';

/** One flow: start reading here. The address names the flow. */
export function FlowPage() {
  const id = usePlace().path.split('/')[2] ?? '';
  const flow = useQuery(flowQuery(id));
  const components = useQuery(componentsQuery);
  // The server sends only documents that it has parsed.
  const document = flow.data?.document as unknown as FlowDocument | undefined;
  const views = useMemo(() => {
    const registry = components.data;
    return registry && document && new Map(document.nodes.map((node) => [node.id, viewNode(node, registry)]));
  }, [document, components.data]);
  const error = flow.data ? components.error : flow.error;
  if (document && views)
    return (
      <div className="mx-auto grid w-full max-w-3xl grid-cols-1 content-start gap-4 p-4 md:p-8">
        <PageHead title={document.name} about={document.description} />
        {document.nodes.length > 0 ? (
          <Outline flow={document} views={views} />
        ) : (
          <EmptyState icon={<Workflow size={22} />} title="This flow has no components yet" />
        )}
      </div>
    );
  if (!error) return <PageSkeleton />;
  return (
    <ErrorState
      isPage
      title="This flow cannot be shown"
      error={error}
      onRetry={() => void Promise.all([flow.refetch(), components.refetch()])}
      action={
        <Link to="/flows" className={buttonClass()}>
          Go to your flows
        </Link>
      }
    />
  );
}
