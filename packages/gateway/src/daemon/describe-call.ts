import { findTool, type ToolTable } from '@croft/tools';
import type { CallRequest } from './call-request.ts';

/** A short description of a call for a person's log. */
export function describeCall(table: ToolTable, { call }: CallRequest): string {
  const tool = findTool(table, call.name);
  const parsed = tool?.input.safeParse(call.input ?? {});
  if (!tool || !parsed?.success) return '';
  try {
    const pattern = tool.pattern?.(parsed.data as never);
    const paths = tool.paths?.(parsed.data as never).join(' → ') ?? '';
    return pattern === undefined ? paths : `"${pattern}" in ${paths}`;
  } catch {
    return '';
  }
}
