import { type Component, createRegistry, type FlowDocument, type FlowNode } from '@croft/flow';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../api/api.ts';
import type { ComponentsRegistry } from '../api/flows.ts';
import { ApiError } from '../api/request.ts';

type Ports = ReturnType<NonNullable<Component['ports']>>;

/** A registry that knows the ports of the code inside a flow. The server reads the code and does not run it. */
export function useCodePorts({ nodes }: FlowDocument, registry: ComponentsRegistry): ComponentsRegistry {
  const codes = [...new Set(nodes.map((node) => codeOf(node, registry)).filter((code) => code !== undefined))];
  const read = useQueries({
    queries: codes.map((code) => ({
      queryKey: ['code-ports', code],
      queryFn: () => readPorts(code),
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    })),
    combine: (results) => results.map(({ data }) => data ?? null),
  });
  return useMemo(() => {
    const known = new Map(codes.map((code, at) => [code, read[at] ?? undefined]));
    return known.size === 0 ? registry : withPorts(registry, known);
    // `codes` is another list with each render.
  }, [registry, read, codes.join('\n\n')]);
}

/** Longer code keeps the ports that its edges name. */
const MAX_CODE = 200_000;

/** The code that decides the ports of a node, unless it is that of the component itself. */
export function codeOf({ type, values, code }: FlowNode, registry: ComponentsRegistry): string | undefined {
  const field = codeField(registry.get(type)?.descriptor.fields);
  const own = field === undefined ? code : values[field.name];
  return typeof own === 'string' && own !== field?.default && own.length <= MAX_CODE ? own : undefined;
}

const codeField = (fields: Component['descriptor']['fields'] = []) =>
  fields.find(({ kind, language }) => kind === 'code' && language === 'typescript');

/** @returns nothing for code that cannot be read; the check of the flow says why */
async function readPorts(code: string): Promise<Ports | null> {
  try {
    const { component } = await api('POST /api/v1/components/check', { body: { code } });
    return { fields: component.fields, outputs: component.outputs } as unknown as Ports;
  } catch (error) {
    if (error instanceof ApiError && error.status === 422) return null;
    throw error;
  }
}

/** The registry with the ports of code by its text. */
export function withPorts(
  registry: ComponentsRegistry,
  known: ReadonlyMap<string, Ports | undefined>,
): ComponentsRegistry {
  return createRegistry(
    registry.entries.map((entry) => {
      const { fields } = entry.descriptor;
      const own = codeField(fields);
      if (own === undefined && entry.descriptor.category !== 'custom') return entry;
      const ports: NonNullable<Component['ports']> = (values, code) => {
        const text = own === undefined ? code : values[own.name];
        const read = typeof text === 'string' ? known.get(text) : undefined;
        if (read === undefined) return {};
        const kept = own === undefined ? [] : fields.filter(({ kind }) => kind === 'code' || kind === 'handle');
        return { fields: [...kept, ...(read.fields ?? [])], outputs: read.outputs ?? [] };
      };
      return { ...entry, ports };
    }),
  );
}
