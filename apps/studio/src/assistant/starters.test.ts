import { expect, it } from 'vitest';
import { costText } from './cost-text.ts';
import { startersFor } from './starters.ts';

it('suggests a flow with a language model only where a provider is set up', () => {
  expect(startersFor(true, 'croft/offline', []).join()).not.toContain('summarises');
  expect(startersFor(true, 'croft/offline', []).join()).toContain('lists all files');
  expect(startersFor(true, 'OpenAI/model-1', []).join()).toContain('summarises a document');
  expect(startersFor(false, 'croft/offline', [])).toContain('explain this flow');
});

it('suggests a file that exists, and none where there is none', () => {
  expect(startersFor(true, 'croft/offline', ['a b.md', 'photo.png', 'orders.csv']).join()).toContain(
    'reads orders.csv',
  );
  expect(startersFor(true, 'croft/offline', ['photo.png']).join()).not.toContain('reads');
});

it('shows tokens of a provider, and only the time of croft/offline', () => {
  expect(costText(1.5, 1_200, 'OpenAI/model-1')).toBe('1.5 s · 1,200 tokens · OpenAI/model-1');
  expect(costText(0.02, 900, 'croft/offline')).toBe('20 ms · croft/offline');
});
