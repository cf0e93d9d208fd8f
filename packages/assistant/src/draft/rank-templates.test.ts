import { createRegistry, type Descriptor } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { readRequest } from './request-parts.ts';
import { aboutTemplate, rankTemplates, wordsOfTemplate } from './rank-templates.ts';
import { stemsOf } from './words.ts';

const component = (type: string, description: string, more: Partial<Descriptor> = {}) => ({
  descriptor: {
    type,
    label: type,
    description,
    category: 'logic' as const,
    effects: [],
    fields: [{ name: 'word', label: 'Word', kind: 'text' as const }],
    outputs: [],
    ...more,
  },
});
const registry = createRegistry([
  component('Grep', 'Finds lines.'),
  component('Mail', 'Sends parcels.'),
  component('Entry', 'Takes lines.', { boundary: 'input' }),
]);
const template = (name: string, description: string, spec = 'nodes:\n  A: Grep\n') => ({ name, description, spec });
const ranked = (request: string, ...templates: ReturnType<typeof template>[]) =>
  rankTemplates(readRequest(request), templates, registry).map(({ name }) => name);

describe('templates for a request', () => {
  it('come in the order of the words that they share with it', () => {
    const [one, both] = [template('one', 'Counts apples.'), template('both', 'Counts apples, pears.')];
    expect(ranked('count apples, pears', one, both)).toEqual(['both', 'one']);
    expect(ranked('fly', one, both)).toEqual([]);
  });

  it('count a rare word more, and a word of their components less', () => {
    const often = Array.from({ length: 4 }, (_, at) => template(`often-${at}`, 'Counts apples.'));
    expect(ranked('count pears', ...often, template('rare', 'Pears.'))[0]).toBe('rare');
    const [own, mail] = [template('own', 'Parcels.'), template('mail', 'Boxes.', 'nodes:\n  A: Mail\n')];
    expect(ranked('parcels', mail, own)).toEqual(['own']);
    expect(ranked('boxes, parcels', mail, own)).toEqual(['mail', 'own']);
  });

  it('are at most three, and none that shares half as much as the best or less', () => {
    const same = Array.from({ length: 5 }, (_, at) => template(`t-${at}`, 'Apples.'));
    expect(ranked('apples', ...same)).toEqual(['t-0', 't-1', 't-2']);
    expect(
      ranked('apples, pears, plums', template('all', 'Apples, pears, plums.'), template('one', 'Apples.')),
    ).toEqual(['all']);
    const half = [template('a', 'Apples.'), template('b', 'Pears.')];
    expect(ranked('apples, pears', template('both', 'Apples, pears.'), ...half)).toEqual(['both']);
  });

  it('fit files and addresses by these words', () => {
    const [file, page] = [template('reads', 'Reads a file.'), template('page', 'Reads a web page.')];
    expect(ranked('x orders.csv', file, page)).toEqual(['reads']);
    expect(ranked('x https://example.com', file, page)).toEqual(['page']);
    expect(ranked('save it to out.csv', template('csv', 'CSV.'), page)).toEqual(['csv']);
  });
});

it('knows the words of a template: its name, description and short values', () => {
  const made = template('find-words', 'Looks around.', 'nodes:\n  A: Grep\nconfig:\n  A.word: needle\n');
  expect(aboutTemplate(made)).toBe('find words Looks around.');
  expect([...wordsOfTemplate(made, registry)].sort()).toEqual(
    [...new Set(stemsOf('find words Looks around needle'))].sort(),
  );
});
