import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { TestResponse } from '../../../../tests/support/test-response.ts';
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

it('does not count a response that closed before', () => {
  const limit = createStreamLimit(1);
  limit.open('ada', new TestResponse().destroy().response);
  limit.open('ada', response());
  expect(() => limit.open('ada', response())).toThrow('You have 1 of these streams open');
});

it('gives a user 20 streams', () => {
  const limit = createStreamLimit();
  for (let i = 0; i < 20; i++) limit.open('ada', response());
  expect(() => limit.open('ada', response())).toThrow('You have 20 of these streams');
});

it('refuses with 429, and counts from zero when all streams of a user have closed', () => {
  const limit = createStreamLimit(1);
  for (let round = 0; round < 3; round++) {
    const stream = response();
    limit.open('ada', stream);
    expect(() => limit.open('ada', response())).toThrow(
      expect.objectContaining({
        status: 429,
        code: 'too_many_streams',
        message: 'You have 1 of these streams open already. Close one of them.',
      }),
    );
    stream.emit('close');
  }
});
