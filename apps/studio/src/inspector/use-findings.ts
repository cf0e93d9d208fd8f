import type { FlowDocument } from '@croft/flow';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { type ComponentsRegistry, type Finding, findingsQuery } from '../api/flows.ts';
import { liveFindings } from './live-findings.ts';

/** The problems of a flow while it is edited. `version` is the one that the server has. */
export function useFindings(
  id: string,
  version: number,
  flow: FlowDocument,
  registry: ComponentsRegistry,
): readonly Finding[] {
  const { data: checked } = useQuery(findingsQuery(id, version));
  const shown = useDeferredValue(flow);
  return useMemo(() => liveFindings(shown, registry, checked ?? []), [shown, registry, checked]);
}
