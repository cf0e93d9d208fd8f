import { FlowHead } from '../flows/flow-head.tsx';
import { WithFlow } from '../flows/with-flow.tsx';
import { Link } from '../routing/link.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { buttonClass } from '../ui/button.tsx';
import { RunHistory } from './run-history.tsx';

/** The history of all runs: start reading here. */
export function RunsPage() {
  return (
    <div className="mx-auto grid w-full max-w-6xl grid-cols-1 content-start gap-4 p-4 md:p-8">
      <PageHead title="Runs" about="Runs of your flows, by hand and by schedules, webhooks and other programs." />
      <RunHistory
        start={
          <Link to="/flows" className={buttonClass('primary')}>
            Go to your flows
          </Link>
        }
      />
    </div>
  );
}

/** The history of one flow. */
export function FlowRunsPage() {
  return (
    <WithFlow>
      {({ flow }) => (
        <>
          <FlowHead id={flow.id} name={flow.name} />
          <div className="mx-auto grid w-full max-w-6xl grid-cols-1 content-start gap-4 p-4 md:p-8">
            <RunHistory
              flow={flow.id}
              start={
                <Link to={`/flows/${flow.id}/play`} className={buttonClass('primary')}>
                  Go to the playground
                </Link>
              }
            />
          </div>
        </>
      )}
    </WithFlow>
  );
}
