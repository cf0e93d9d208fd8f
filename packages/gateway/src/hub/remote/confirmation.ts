import { createHash } from 'node:crypto';
import { type CallContext, clean } from '@croft/tools';
import { z } from 'zod';

const PREFIX = 'GATEWAY_CONFIRMATION_REQUIRED::';
const wantedSchema = z.object({
  toolGroup: z.string().max(64),
  resource: z.string().max(4_096),
  description: z.string().max(4_096).default(''),
  options: z.array(z.string().max(64)).max(16).default([]),
});

/** A confirmation that a machine of the later dialect requires from a person before it runs a call. */
export interface WantedConfirmation {
  /** For the person; made printable. */
  readonly question: string;
  readonly options: readonly string[];
}

/** Reads a request for confirmation from an error; `undefined` for any other error. */
export function confirmationOf(error: string | undefined): WantedConfirmation | undefined {
  if (!error?.startsWith(PREFIX)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(error.slice(PREFIX.length));
  } catch {
    return undefined;
  }
  const parsed = wantedSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const { toolGroup, resource, description, options } = parsed.data;
  return { question: clean(`Allow ${toolGroup} of ${resource}? ${description}`.trim()), options };
}

/**
 * Asks the person, and returns the answer for the machine: for this call only. `undefined` if no person can be asked
 * now.
 */
export async function askPerson(
  wanted: WantedConfirmation,
  call: { readonly name: string; readonly input: unknown },
  context: CallContext,
): Promise<'allowOnce' | 'denyOnce' | undefined> {
  const token = createHash('sha256')
    .update(JSON.stringify([call, wanted.question]))
    .digest('base64url');
  const answer = await context.confirm?.(wanted.question, token);
  if (answer === true) return 'allowOnce';
  return answer === false ? 'denyOnce' : undefined;
}
