import { expect, it } from 'vitest';
import { type DocumentService, requireDocuments } from './document-service.ts';

it('gives the service of a run, or says how to have one', () => {
  const documents = {} as DocumentService;
  expect(requireDocuments({ documents })).toBe(documents);
  expect(() => requireDocuments({})).toThrow('This run cannot read or write documents of this format.');
});
