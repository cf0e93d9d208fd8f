import { useQuery } from '@tanstack/react-query';
import { componentsQuery, flowQuery } from '../api/flows.ts';
import { usePlace } from '../routing/location.ts';
import { FlowNotShown } from '../flows/flow-not-shown.tsx';
import { FlowView } from './flow-view.tsx';

/** One flow: start reading here. The address names the flow. */
export function FlowPage() {
  const id = usePlace().path.split('/')[2] ?? '';
  const flow = useQuery(flowQuery(id));
  const components = useQuery(componentsQuery);
  if (flow.data && components.data) return <FlowView key={id} flow={flow.data} registry={components.data} />;
  return <FlowNotShown flow={flow} components={components} />;
}
