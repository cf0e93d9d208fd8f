import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { createStreamLimit } from './stream-limit.ts';

const response = () => new EventEmitter() as unknown as ServerResponse;

it('lets each user have a number of streams open, and counts those that are open now', () => {
  const limit = createStreamLimit(2);
  const [one, two] = [response(), response()];
  limit.open('ada', one);
  limit.open('ada', two);
  expect(() => limit.open('ada', response())).toThrow('You have 2 of these streams open already. Close one of them.');
  limit.open('bob', response());
  one.emit('close');
  one.emit('close');
  limit.open('ada', response());
  expect(() => limit.open('ada', response())).toThrow('You have 2 of these streams open');
});

it('gives a user 20 streams', () => {
  const limit = createStreamLimit();
  for (let i = 0; i < 20; i++) limit.open('ada', response());
  expect(() => limit.open('ada', response())).toThrow('You have 20 of these streams');
});
