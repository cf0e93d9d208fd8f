import { useQuery } from '@tanstack/react-query';
import { componentsQuery, flowQuery } from '../api/flows.ts';
import { Link } from '../routing/link.tsx';
import { usePlace } from '../routing/location.ts';
import { PageSkeleton } from '../shell/page-skeleton.tsx';
import { buttonClass } from '../ui/button.tsx';
import { ErrorState } from '../ui/state.tsx';
import { FlowView } from './flow-view.tsx';

/** One flow: start reading here. The address names the flow. */
export function FlowPage() {
  const id = usePlace().path.split('/')[2] ?? '';
  const flow = useQuery(flowQuery(id));
  const components = useQuery(componentsQuery);
  if (flow.data && components.data) return <FlowView key={id} flow={flow.data} registry={components.data} />;
  const error = flow.error ?? components.error;
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
