import { z } from 'zod';
import { type DecisionRecord, MAX_PATHS } from './decision-record.ts';

const RECORD = z.object({
  id: z.string().max(64),
  time: z.string().max(32),
  agent: z.string().max(1_000).optional(),
  model: z.string().max(1_000).optional(),
  wire: z.string().max(1_000),
  tool: z.string().max(1_000),
  decision: z.enum(['allow', 'block']),
  rule: z.string().max(64),
  reason: z.string().max(4_000),
  paths: z
    .array(z.object({ written: z.string().max(4_000), read_as: z.string().max(4_000), inside: z.boolean() }))
    .max(MAX_PATHS),
  undecidable: z.boolean().optional(),
  mode: z.enum(['enforce', 'dry-run']),
  root: z.string().max(8_000).optional(),
});

/** Parses a log line. Undefined for a damaged line: the last line of a killed process may be cut. */
export function parseRecord(line: string): DecisionRecord | undefined {
  try {
    return RECORD.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
