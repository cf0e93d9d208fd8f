import { asksPerson } from '../canvas/run-fields.ts';
import { FlowHead } from '../flows/flow-head.tsx';
import { type OpenFlow, WithFlow } from '../flows/with-flow.tsx';
import type { PageProps } from '../shell/page-props.ts';
import { AcceptCard } from './accept-card.tsx';
import { AgentToolCard } from './agent-tool-card.tsx';
import { CodeCard } from './code-card.tsx';
import { ExportCard } from './export-card.tsx';
import { LinkCard } from './link-card.tsx';
import { ScheduleCard } from './schedule-card.tsx';
import { ShareCard } from './share-card.tsx';
import { useAcceptance } from './use-acceptance.ts';
import { WebhookCard } from './webhook-card.tsx';

/** How others run a flow: start reading here. Code, webhooks, schedules, and users with whom it is shared. */
export function UsePage({ me }: PageProps) {
  return (
    <WithFlow>
      {(open) => (
        <>
          <FlowHead id={open.flow.id} name={open.flow.name} />
          <Cards open={open} me={me} />
        </>
      )}
    </WithFlow>
  );
}

function Cards({ open: { flow, document, registry }, open, me }: PageProps & { open: OpenFlow }) {
  const { id } = flow;
  const acceptance = useAcceptance(id, flow.version);
  const isOwner = flow.access === 'owner';
  const has = (wanted: string) => document.nodes.some(({ type }) => type === wanted);
  /** The version that the page shows. Turning something on accepts it, and no newer one. */
  const shown = { flowId: id, version: acceptance?.version };
  return (
    <div className="mx-auto grid w-full max-w-4xl grid-cols-1 content-start gap-5 p-4 md:p-8">
      {!me.autoLogin && <AcceptCard flowId={id} acceptance={acceptance} />}
      <CodeCard open={open} />
      {isOwner && <AgentToolCard flowId={id} about={document.description} />}
      <WebhookCard {...shown} hasEntry={has('Webhook')} />
      <ScheduleCard {...shown} waits={asksPerson(document, registry)} />
      {isOwner && <LinkCard {...shown} isAdmin={me.user.role === 'admin'} isChat={has('ChatInput')} />}
      {isOwner && !me.autoLogin && <ShareCard flowId={id} />}
      <ExportCard id={id} name={flow.name} />
    </div>
  );
}
