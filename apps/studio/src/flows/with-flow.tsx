import type { FlowDocument } from '@croft/flow';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { announcedQuery, componentsQuery, type ComponentsRegistry, flowQuery, type FullFlow } from '../api/flows.ts';
import { useCodePorts } from '../inspector/use-code-ports.ts';
import { usePlace } from '../routing/location.ts';
import { FlowNotShown } from './flow-not-shown.tsx';

/** A flow with its document and the components that it may use. */
export interface OpenFlow {
  readonly flow: FullFlow;
  readonly document: FlowDocument;
  readonly registry: ComponentsRegistry;
}

/** Loads the flow that the address names, and shows a page of it. */
export function WithFlow({ children }: { children: (open: OpenFlow) => ReactNode }) {
  const id = usePlace().path.split('/')[2] ?? '';
  // The canvas may have saved edits since the flow was loaded.
  const flow = useQuery({ ...flowQuery(id), refetchOnMount: 'always' });
  const components = useQuery(componentsQuery);
  const { data: announced = 0 } = useQuery(announcedQuery(id));
  const isOutdated = flow.data !== undefined && announced > flow.data.version;
  const { refetch } = flow;
  useEffect(() => {
    if (isOutdated) void refetch();
  }, [isOutdated, refetch]);
  if (flow.data && components.data)
    return (
      <Known key={id} flow={flow.data} registry={components.data}>
        {children}
      </Known>
    );
  return <FlowNotShown flow={flow} components={components} />;
}

function Known({
  flow,
  registry: known,
  children,
}: {
  flow: FullFlow;
  registry: ComponentsRegistry;
  children: (open: OpenFlow) => ReactNode;
}) {
  const document = flow.document as unknown as FlowDocument;
  const registry = useCodePorts(document, known);
  return children({ flow, document, registry });
}
