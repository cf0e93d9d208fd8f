import { expect, it } from 'vitest';
import { commandOf, commandsFor, COMMANDS } from './commands.ts';

it('is a command only where the message is exactly its text', () => {
  expect(COMMANDS.map(({ text }) => commandOf(` ${text}\n`)?.name)).toEqual(['skip-all', 'new', 'undo']);
  expect(['/undo that', 'undo', '/und', '/UNDO'].map(commandOf)).toEqual([undefined, undefined, undefined, undefined]);
});

it('offers the commands that a text may become', () => {
  const offered = (text: string) => commandsFor(text).map((each) => each.text);
  expect(offered('/')).toEqual(['/skip-all', '/new', '/undo']);
  expect(offered('/n')).toEqual(['/new']);
  expect(offered('/skip-all')).toEqual([]);
  expect(offered('')).toEqual([]);
  expect(offered('undo')).toEqual([]);
});

it('says what each command does', () => {
  expect(COMMANDS.map(({ text, about }) => `${text}: ${about}`)).toEqual([
    '/skip-all: Use plans and built flows without asking; again to turn it off',
    '/new: Begin a new conversation',
    '/undo: Revert what the last message changed',
  ]);
});
