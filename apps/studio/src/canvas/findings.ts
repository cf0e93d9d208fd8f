import { createContext } from 'react';
import type { Finding } from '../api/flows.ts';
import type { RunField } from './run-fields.ts';

/** The first problem of each node that prevents a run. */
export type Findings = ReadonlyMap<string, Finding>;

export const FindingsContext = createContext<Findings>(new Map());

/** Keeps the first error of each node. Leaves out warnings and missing values that the run form asks for. */
export function problemsByNode(findings: readonly Finding[], fields: readonly RunField[]): Findings {
  const found = new Map<string, Finding>();
  for (const finding of findings) {
    const { severity, node } = finding;
    if (severity !== 'error' || node === undefined || found.has(node)) continue;
    if (!isAsked(finding, fields)) found.set(node, finding);
  }
  return found;
}

/** The map before, where nothing that it shows changed: every component on the canvas reads it. */
export function keptFindings(before: Findings | undefined, next: Findings): Findings {
  if (before?.size !== next.size) return next;
  for (const [node, { message, fix }] of next) {
    const old = before.get(node);
    if (old?.message !== message || old.fix !== fix) return next;
  }
  return before;
}

/** Whether the run form asks for the value that is missing. */
export const isAsked = ({ code, node, field }: Finding, fields: readonly RunField[]): boolean =>
  code === 'missing_value' && fields.some((each) => each.node === node && each.field.name === field);
