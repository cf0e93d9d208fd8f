import { builtinRegistry, TEMPLATES } from '@croft/components';
import { expect, it } from 'vitest';
import { bringsText } from './brings-text.ts';
import { draftSpec } from './draft-spec.ts';
import { readRequest } from './request-parts.ts';

const registry = builtinRegistry();
const brings = (text: string) => {
  const [clause] = readRequest(`build a flow that ${text}`).clauses;
  return clause !== undefined && bringsText(clause, registry);
};
const draft = (request: string) => draftSpec(request, registry, TEMPLATES);

it.each([
  'takes a message',
  'gets a text from the user',
  'receives a chat message',
  'accepts text',
  'waits for a message from me',
  'takes my question',
  'asks for a name',
  'asks the user for a city',
  'gets an order number from a person',
])('knows that a text comes in: %s', (text) => expect(brings(text)).toBe(true));

it.each([
  'gets the weather',
  'takes a photo',
  'takes every second message',
  'takes 3 messages',
  'receives an encrypted message',
  'takes a file from the user',
  'asks for approval',
  'asks a model for a name',
  'summarises a message',
  'takes the last line of a message',
  'reads notes.md',
  'gets two numbers from the user',
])('does not take other work for a text that comes in: %s', (text) => expect(brings(text)).toBe(false));

it('builds the rest of the request, and leaves nothing out', () => {
  const write = draft(
    'build a flow that takes a message, asks a person to approve it, and then writes it to approved.txt',
  );
  expect([write?.from, write?.missing]).toEqual(['Chat input, Human approval, Chat output', []]);
  expect(write?.spec).toContain('approved.txt');
  const asked = draft('build a flow that asks for a name, makes it upper case and writes it to out.txt');
  expect([asked?.from, asked?.missing]).toEqual(['Chat input, Upper case, Chat output', []]);
});

it('counts only at the start of a request, where the flow takes a message', () => {
  expect(draft('build a flow that makes a message upper case and takes a photo from me')?.missing).toEqual([
    'takes a photo from me',
  ]);
  expect(
    draft('build a flow that takes a city from the user, reads notes.md and makes it upper case')?.missing,
  ).toEqual(['build a flow that takes a city from the user']);
  expect(draft('build a flow that takes a message and frobs it')).toBeUndefined();
});
