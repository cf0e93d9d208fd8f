import type { FlowNode } from '../document.ts';
import { stableText } from './stable-text.ts';

/**
 * The key of a node's stored outputs: SHA-256 in hexadecimal digits over everything that decides them, which is the
 * inputs, the component, its code and its tool mode.
 */
export async function inputHash(
  { type, code, toolMode }: FlowNode,
  inputs: Readonly<Record<string, unknown>>,
): Promise<string> {
  const text = stableText({ type, code, toolMode: toolMode === true, inputs });
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
