import { FlowError } from './errors.ts';

const CURRENT = 1;

/** Lifts a document by one version: the key is the version it reads. Never change one that was released. */
const STEPS: Readonly<Record<number, (document: Record<string, unknown>) => Record<string, unknown>>> = {};

/**
 * Lifts a stored document to the current version.
 *
 * @throws FlowError `newer_version`, `invalid_document`
 */
export function migrate(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FlowError('invalid_document', 'A flow is a JSON object with `version`, `nodes` and `edges`.');
  let document = value as Record<string, unknown>;
  const version = document['version'];
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    throw new FlowError(
      'invalid_document',
      'The document has no `version`. A Croft flow has `"version": 1`, a Langflow flow has `data` with `nodes`.',
    );
  if (version > CURRENT)
    throw new FlowError(
      'newer_version',
      `This flow has document version ${version}; this Croft reads up to ${CURRENT}. Update Croft.`,
    );
  for (let from = version; from < CURRENT; from++) {
    const step = STEPS[from];
    if (step === undefined) throw new FlowError('invalid_document', `Document version ${from} cannot be read.`);
    document = { ...step(document), version: from + 1 };
  }
  return document;
}
