import { builtinRegistry } from '@croft/components';
import { createRegistry } from '@croft/flow';
import { expect, it } from 'vitest';
import { readRequest } from './request-parts.ts';
import { summaryStep } from './summary.ts';

const registry = builtinRegistry();
const stepFor = (request: string, among = registry) =>
  readRequest(request).clauses.flatMap((clause) => summaryStep(clause, among) ?? []);

it.each([
  ['build a flow that reads a.md, summarises it in three bullet points and saves them to b.md', 'three bullet points'],
  ['summarize report.md in 2 sentences.', '2 sentences'],
  ['a flow that summarises the text of report.md as bullet points', 'bullet points'],
  ['summarise the message in at most 50 words', 'at most 50 words'],
  ['summarise it in a few short paragraphs', 'a few short paragraphs'],
])('reads the form of a summary: %s', (request, form) => {
  expect(stepFor(request)).toEqual([
    {
      descriptor: registry.get('Summarise')?.descriptor,
      config: {
        instructions: `Summarise the text in ${form}. Keep names, numbers and decisions. Write in the language of the text.`,
      },
      read: expect.stringContaining(form),
    },
  ]);
});

it.each([
  'summarise report.md',
  'summarise it in French',
  'summarise a document with at most 100 words',
  'summarise it in three bullet points in French',
  'summarise the angry letters in three sentences',
  'do not summarise it in three sentences',
])('leaves to other rules: %s', (request) => expect(stepFor(request)).toEqual([]));

it('needs the component', () => expect(stepFor('summarise it in 2 words', createRegistry([]))).toEqual([]));
