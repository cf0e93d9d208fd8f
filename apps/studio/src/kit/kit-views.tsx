import { FolderOpen, Info, TriangleAlert, Upload } from 'lucide-react';
import { Badge } from '../ui/badge.tsx';
import { Breadcrumbs } from '../ui/breadcrumbs.tsx';
import { Button } from '../ui/button.tsx';
import { Card, CardBody, CardHead } from '../ui/card.tsx';
import { Meter, Progress } from '../ui/progress.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { Callout, EmptyState, ErrorState } from '../ui/state.tsx';
import { KitRow } from './kit-row.tsx';

/** Components that show a state. */
export function MessageStates() {
  return (
    <div className="grid grid-cols-1 gap-4">
      <KitRow name="badge">
        <Badge>Neutral</Badge>
        <Badge tone="good" dot>
          Connected
        </Badge>
        <Badge tone="warn" dot>
          Paused
        </Badge>
        <Badge tone="bad" dot>
          Failed
        </Badge>
      </KitRow>
      <KitRow name="spinner">
        <Spinner /> <Spinner className="size-6 text-accent" />
      </KitRow>
      <KitRow name="progress">
        <div className="grid w-60 gap-3">
          <Progress value={0} label="Not begun" />
          <Progress value={0.6} label="On the way" />
          <Progress value={1} label="Done" />
          <Progress value={0.4} label="Failed" tone="bad" />
        </div>
      </KitRow>
      <KitRow name="meter">
        <div className="grid w-60 gap-3">
          <Meter value={0.35} label="Some used" text="35 %" />
          <Meter value={0.93} label="Nearly full" text="93 %" />
          <Meter value={1} label="Full" text="100 %" />
        </div>
      </KitRow>
      <KitRow name="callout">
        <div className="grid w-full gap-2">
          <Callout icon={<Info size={16} />}>Something to know.</Callout>
          <Callout tone="good">It went well.</Callout>
          <Callout tone="warn" icon={<TriangleAlert size={16} />}>
            Something to look at.
          </Callout>
          <Callout tone="bad" icon={<TriangleAlert size={16} />}>
            It did not work.
          </Callout>
        </div>
      </KitRow>
      <KitRow name="breadcrumbs">
        <Breadcrumbs
          label="An example"
          steps={[
            { name: 'Files', to: '/kit' },
            { name: 'projects', to: '/kit?1' },
            { name: 'garden', to: '/kit?2' },
          ]}
        />
      </KitRow>
    </div>
  );
}

/** Cards, and the content of a view without data. */
export function ViewStates() {
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      <Card aria-label="A card">
        <CardHead title="A card" about="With a sentence about it." action={<Badge tone="good">On</Badge>} />
        <CardBody>Its content.</CardBody>
      </Card>
      <Card aria-label="Loading" className="p-5">
        <SkeletonLines label="Loading an example" lines={5} />
      </Card>
      <Card aria-label="Empty">
        <EmptyState
          icon={<FolderOpen size={22} />}
          title="This folder is empty"
          action={
            <Button look="primary">
              <Upload size={16} aria-hidden="true" /> Upload files
            </Button>
          }
        >
          Drop files here, or let an agent write some.
        </EmptyState>
      </Card>
      <Card aria-label="Failed">
        <ErrorState
          title="The folder cannot be shown"
          error={new Error('Croft does not answer. Check that it is running, then try again.')}
          onRetry={() => {}}
        />
      </Card>
    </div>
  );
}
