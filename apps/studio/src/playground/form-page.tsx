import { nodeTitle } from '@croft/flow';
import { useMemo } from 'react';
import { problemsByNode } from '../canvas/findings.ts';
import { asksPerson, runFields, runInputs } from '../canvas/run-fields.ts';
import { RunPanel } from '../canvas/run-panel.tsx';
import { useFlowRun } from '../canvas/use-flow-run.ts';
import type { OpenFlow } from '../flows/with-flow.tsx';
import { RunProvider } from '../inspector/answer-run.tsx';
import { useFindings } from '../inspector/use-findings.ts';
import { navigate } from '../routing/location.ts';
import { Card } from '../ui/card.tsx';
import { FlowOutputs } from './flow-outputs.tsx';
import { flowSentence } from './flow-sentence.ts';
import { LastRun } from './last-run.tsx';

/** Runs a flow that is not a chat: its inputs, and what it gives. */
export function FormPage({ open }: { open: OpenFlow }) {
  const { flow, document, registry } = open;
  const running = useFlowRun(flow.id, { document, version: flow.version }, 'playground');
  const fields = useMemo(() => runFields(document, registry), [document, registry]);
  const findings = useFindings(flow.id, flow.version, document, registry);
  const problems = useMemo(() => problemsByNode(findings, fields), [findings, fields]);
  const nodes = new Map(document.nodes.map((node) => [node.id, node]));
  const titleOf = (id: string) => {
    const node = nodes.get(id);
    return node ? nodeTitle(node, registry) : id;
  };
  return (
    <RunProvider running={running}>
      <div className="min-h-0 grow overflow-y-auto">
        <div className="mx-auto grid w-full max-w-3xl grid-cols-1 content-start gap-5 p-4 md:p-8">
          <div className="grid gap-1">
            {flow.description && <p>{flow.description}</p>}
            <p className="text-sm text-soft [overflow-wrap:anywhere]">{flowSentence(document, registry, titleOf)}</p>
          </div>
          <Card className="p-5">
            <RunPanel
              flowId={flow.id}
              fields={fields}
              problems={problems}
              titleOf={titleOf}
              onRun={(values) =>
                void running.run({ inputs: runInputs(fields, values) }, asksPerson(document, registry))
              }
              onStop={() => void running.stop()}
              onShow={() => navigate(`/flows/${flow.id}`)}
              result={<FlowOutputs document={document} registry={registry} titleOf={titleOf} />}
            />
          </Card>
          <LastRun flowId={flow.id} titleOf={titleOf} />
        </div>
      </div>
    </RunProvider>
  );
}
