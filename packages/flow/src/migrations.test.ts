import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DOCUMENT_VERSION } from './document.ts';
import { FlowError } from './errors.ts';
import { migrate } from './migrations.ts';
import { parseFlow, printFlow } from './parse-flow.ts';

const VERSIONS = Array.from({ length: DOCUMENT_VERSION }, (_, index) => index + 1);
/** As the first commit with that version printed it, with every optional field. Never change one, not even its layout. */
const printed = (version: number) =>
  readFileSync(join(import.meta.dirname, `testing-documents/version-${version}.txt`), 'utf8');

/** The fields of a document that hold what its author wrote. */
interface Written {
  readonly version: number;
  readonly nodes: readonly { readonly id: string; readonly values: unknown }[];
}

describe('documents of every version so far', () => {
  it.each(VERSIONS)('opens a document of version %i with all its components', (version) => {
    const written = JSON.parse(printed(version)) as Written;
    const opened = parseFlow(written);
    expect(written.version).toBe(version);
    expect(opened.version).toBe(DOCUMENT_VERSION);
    expect(opened.nodes.map(({ id }) => id)).toEqual(written.nodes.map(({ id }) => id));
  });

  it('prints a document of the current version byte for byte as its first writer did', () => {
    const text = printed(DOCUMENT_VERSION);
    expect(printFlow(parseFlow(JSON.parse(text)))).toBe(text);
  });

  it('refuses the next version and says what to do', () => {
    const newer = { ...(JSON.parse(printed(DOCUMENT_VERSION)) as Written), version: DOCUMENT_VERSION + 1 };
    const message = `This flow has document version ${newer.version}; this Croft reads up to ${DOCUMENT_VERSION}. Update Croft.`;
    expect(() => parseFlow(newer)).toThrow(new FlowError('newer_version', message));
  });

  it('refuses a document without a version that ever was', () => {
    const refused = (value: unknown): unknown => {
      try {
        return migrate(value);
      } catch (error) {
        return error;
      }
    };
    for (const version of [undefined, 0, -1, 1.5, '1', null])
      expect(refused({ ...(JSON.parse(printed(1)) as Written), version }), String(version)).toMatchObject({
        code: 'invalid_document',
        message:
          'The document has no `version`. A Croft flow has `"version": 1`, a Langflow flow has `data` with `nodes`.',
      });
    for (const document of [null, [], 'text'])
      expect(refused(document)).toMatchObject({
        code: 'invalid_document',
        message: 'A flow is a JSON object with `version`, `nodes` and `edges`.',
      });
    expect(refused({ version: DOCUMENT_VERSION + 1 })).toMatchObject({ code: 'newer_version' });
    const current = { version: DOCUMENT_VERSION };
    expect(refused(current)).toBe(current);
  });
});
