import { expect, it } from 'vitest';
import { startWords } from './run-status.ts';

it('says who or what started a run, and of an older run only what is known', () => {
  expect(startWords({ source: 'direct', startedBy: 'key' })).toBe('With an API key');
  expect(startWords({ source: 'api', startedBy: 'playground' })).toBe('In the Playground, queued');
  expect(startWords({ source: 'webhook', startedBy: 'webhook' })).toBe('By a webhook');
  expect(startWords({ source: 'direct', startedBy: null })).toBe('Run at once');
  expect(startWords({ source: 'api', startedBy: null })).toBe('Queued');
});
