import { expect, it } from 'vitest';
import { readStatus, STATUS_WORDS, startWords } from './run-status.ts';

it('says who or what started a run, and of an older run only what is known', () => {
  expect(startWords({ source: 'direct', startedBy: 'key' })).toBe('With an API key');
  expect(startWords({ source: 'api', startedBy: 'playground' })).toBe('In the Playground, queued');
  expect(startWords({ source: 'webhook', startedBy: 'webhook' })).toBe('By a webhook');
  expect(startWords({ source: 'direct', startedBy: null })).toBe('Run at once');
  expect(startWords({ source: 'api', startedBy: null })).toBe('Queued');
});

it.each([
  ['canvas', 'On the canvas'],
  ['playground', 'In the Playground'],
  ['page', 'In the browser'],
  ['assistant', 'By the assistant'],
  ['key', 'With an API key'],
  ['link', 'By a visitor of the public link'],
  ['webhook', 'By a webhook'],
  ['schedule', 'By a schedule'],
  ['mcp', 'By an MCP client'],
  ['openai', 'By an OpenAI client'],
] as const)('names the start %s: %s', (startedBy, words) => {
  expect(startWords({ source: 'direct', startedBy })).toBe(words);
});

it('names each state', () => {
  expect(STATUS_WORDS).toEqual({
    cancelled: {
      tone: 'neutral',
      word: 'Stopped',
    },
    completed: {
      tone: 'good',
      word: 'Done',
    },
    failed: {
      tone: 'bad',
      word: 'Failed',
    },
    interrupted: {
      tone: 'warn',
      word: 'Interrupted',
    },
    needs_attention: {
      tone: 'warn',
      word: 'Needs attention',
    },
    queued: {
      tone: 'neutral',
      word: 'Queued',
    },
    running: {
      tone: 'good',
      word: 'Running',
    },
    timed_out: {
      tone: 'bad',
      word: 'Timed out',
    },
    waiting: {
      tone: 'warn',
      word: 'Waits for you',
    },
  });
});

it('reads a state from an address', () => {
  expect([readStatus('timed_out'), readStatus('gone'), readStatus('toString'), readStatus(null)]).toEqual([
    'timed_out',
    undefined,
    undefined,
    undefined,
  ]);
});
