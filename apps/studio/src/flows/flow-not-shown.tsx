import { Link } from '../routing/link.tsx';
import { PageSkeleton } from '../shell/page-skeleton.tsx';
import { buttonClass } from '../ui/button.tsx';
import { ErrorState } from '../ui/state.tsx';

interface Loading {
  readonly error: Error | null;
  refetch(): Promise<unknown>;
}

/** The page of a flow while the flow and its components load, or after they could not be loaded. */
export function FlowNotShown({ flow, components }: { flow: Loading; components: Loading }) {
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
