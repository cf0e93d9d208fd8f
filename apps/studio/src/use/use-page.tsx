import { FlowHead } from '../flows/flow-head.tsx';
import { WithFlow } from '../flows/with-flow.tsx';
import type { PageProps } from '../shell/page-props.ts';
import { AcceptCard } from './accept-card.tsx';
import { AgentToolCard } from './agent-tool-card.tsx';
import { CodeCard } from './code-card.tsx';
import { LinkCard } from './link-card.tsx';
import { ScheduleCard } from './schedule-card.tsx';
import { ShareCard } from './share-card.tsx';
import { WebhookCard } from './webhook-card.tsx';

/** How others run a flow: start reading here. Code, webhooks, schedules, and users with whom it is shared. */
export function UsePage({ me }: PageProps) {
  return (
    <WithFlow>
      {(open) => (
        <>
          <FlowHead id={open.flow.id} name={open.flow.name} />
          <div className="mx-auto grid w-full max-w-4xl grid-cols-1 content-start gap-5 p-4 md:p-8">
            {!me.autoLogin && <AcceptCard flowId={open.flow.id} />}
            <CodeCard open={open} />
            {open.flow.access === 'owner' && <AgentToolCard flowId={open.flow.id} about={open.document.description} />}
            <WebhookCard flowId={open.flow.id} hasEntry={open.document.nodes.some(({ type }) => type === 'Webhook')} />
            <ScheduleCard flowId={open.flow.id} />
            {open.flow.access === 'owner' && me.user.role === 'admin' && (
              <LinkCard flowId={open.flow.id} isChat={open.document.nodes.some(({ type }) => type === 'ChatInput')} />
            )}
            {open.flow.access === 'owner' && !me.autoLogin && <ShareCard flowId={open.flow.id} />}
          </div>
        </>
      )}
    </WithFlow>
  );
}
