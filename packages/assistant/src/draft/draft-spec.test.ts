import { builtinRegistry, TEMPLATES } from '@croft/components';
import { parseSpec } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { draftSpec } from './draft-spec.ts';

const registry = builtinRegistry();
const draft = (request: string) => draftSpec(request, registry, TEMPLATES);
/** The files that a draft writes. */
const written = (request: string) =>
  parseSpec(draft(request)?.spec ?? '')
    .config.filter(({ field }) => field === 'file_name')
    .map(({ value }) => value);

describe('the draft of a flow', () => {
  it('is from components', () => {
    expect(draft('sort orders.csv by amount every day at 8')).toEqual({
      spec: 'name: Sort rows: orders.csv\nnodes:\n  N1: ReadData\n  N2: SortRows\n  N3: ChatOutput\nedges:\n  N1.dataframe -> N2.df\n  N2.output -> N3.input_value\nconfig:\n  N1.path: orders.csv\n  N2.column_name: amount\n',
      from: 'CSV, JSON, YAML, Sort rows, Chat output',
      isFromTemplate: false,
      template: undefined,
      input: undefined,
      missing: [],
      replaced: [],
      misfits: [],
      schedule: 'every day at 8',
      hasStep: true,
      isRead: false,
    });
    expect(draft('read notes.md')).toMatchObject({ hasStep: false, isRead: false });
    expect(draft('make it upper case')).toMatchObject({ hasStep: true, isRead: true });
  });

  it('carries out the form of a summary', () => {
    const request =
      'build a flow that reads report.md, summarises it in three bullet points and saves them to summary.md';
    expect(draft(request)).toMatchObject({ missing: [], from: 'Read file, Summarise, Chat output' });
    expect(draft(request)?.spec).toContain('Summarise the text in three bullet points.');
    expect(written(request)).toEqual(['summary.md']);
  });

  it('is from a template, with what it can be tried with', () => {
    expect(draft('count words')).toMatchObject({
      from: 'template word-count',
      isFromTemplate: true,
      template: undefined,
      input: 'one two three',
    });
    expect(draft('use the sales-report template')).toMatchObject({ template: 'sales-report' });
    expect(draft('use the sales-report template with a.csv')).toMatchObject({ template: undefined });
  });

  it('leaves out as little of the request as possible', () => {
    expect(draft('read notes.md, make it upper case and paint it')).toMatchObject({ missing: ['paint it'] });
  });
});

describe('the files that a draft writes', () => {
  it('are those of the request', () => {
    expect(written('count the words of notes.md and save the count to out.txt')).toEqual(['out.txt']);
    expect(written('read notes.md, make it upper case, paint it and save it to out.txt')).toEqual(['out.txt']);
  });

  it('are not those that it reads, in any case of letters', () => {
    const request = 'read a.txt, make it upper case and save it to A.txt';
    expect(written(request)).toEqual([]);
    expect(draft(request)).toMatchObject({ replaced: ['A.txt'], missing: ['save it to A.txt'] });
  });

  it.each([
    'read notes.md, keep only the good lines and save it to out.txt',
    'read notes.md, drop the bad lines and save it to out.txt',
    'read notes.md, if I like it, and save it to out.txt',
  ])('are left out where a choice or condition is: %s', (request) => {
    expect(written(request)).toEqual([]);
    expect(draft(request)?.missing).toContain('save it to out.txt');
  });
});

it('writes no file that a clause reads, and says of which clauses', () => {
  expect(draft('sort the rows of a.csv, count the rows of a.csv and save it to a.csv')).toMatchObject({
    replaced: ['a.csv'],
    missing: expect.arrayContaining(['save it to a.csv']),
  });
  expect(draft('read a.txt and b.txt, make it upper case and save it to b.txt')).toMatchObject({
    replaced: ['b.txt'],
    missing: expect.arrayContaining(['save it to b.txt']),
  });
  expect(draft('make it upper case and save it to c.txt')).toMatchObject({ replaced: [], misfits: [], missing: [] });
});

it.each([
  ['it shows and paints', 'paint it and show the message'],
  ['it only shows', 'show a message'],
  ['it takes a message', 'show me what I type'],
  ['no clause has a component', 'paint it'],
  ['a write outside has a condition', 'send "hi" to https://example.com unless it rains'],
])('drafts nothing where %s', (_, request) => expect(draft(request)).toBeUndefined());

it.each([
  'read notes.md, count the words and append the result to log.csv',
  'count the words of notes.md, save the result to log.csv and add to the end',
  'count the words of notes.md and write the count to the end of log.csv',
])('adds to the file that is named: %s', (request) => {
  expect(draft(request)?.missing).toEqual([]);
  expect(draft(request)?.spec).toContain('file_name: log.csv\n  W5.append_mode: true\n');
});

it('groups the rows of a file of the user by no column that the user did not name', () => {
  const request = 'every day at 8 read orders.csv and save the total amount to total.txt';
  expect(draft(request)?.spec ?? '').not.toContain('region');
  expect(draft('read sales.csv and save the total amount by region to total.txt')?.spec).toContain('region');
});

it('asks before it overwrites the named file with the text of another one', () => {
  const made = draft('ask me before overwriting report.md with the text of notes.md');
  expect([made?.from, made?.missing]).toEqual(['Read file, Human approval, Chat output', []]);
  expect(made?.spec).toContain(
    'N1.path: notes.md\n  N2.question: Write this to report.md?\n  W4.file_name: report.md\n',
  );
});
