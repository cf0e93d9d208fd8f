import { expect, it } from 'vitest';
import { costText, countText, modelText, runCostText, tokensText } from './cost-text.ts';
import { OFFLINE } from './starters.ts';

it('writes durations as the canvas does', () => {
  const texts = [0, 0.0994, 9.94, 61.4, 600].map((seconds) => runCostText(seconds, 0));
  expect(texts).toEqual(['<1 ms', '99 ms', '9.9 s', '1 min 1 s', '10 min 0 s']);
  expect(costText(600, 3, 'p/m')).toBe('10 min 0 s · 3 tokens · p/m');
});

it('counts tokens and things', () => {
  expect([tokensText(1), tokensText(1_234)]).toEqual(['1 token', '1,234 tokens']);
  expect([countText(1, 'file'), countText(0, 'file')]).toEqual(['1 file', '0 files']);
});

it('shows tokens only where a provider counts them', () => {
  expect(modelText('Ollama/')).toBe('Ollama');
  expect(costText(1.5, 3, 'p/m')).toBe('1.5 s · 3 tokens · p/m');
  expect(costText(1.5, 3, OFFLINE)).toBe(`1.5 s · ${modelText(OFFLINE)}`);
});

it('says the tokens of a run only where a model was asked', () => {
  expect(runCostText(0.003, 0)).toBe('3 ms');
  expect(runCostText(2, 1_200)).toBe('2.0 s · 1,200 tokens');
  expect(runCostText(undefined, 1)).toBe('1 token');
  expect(runCostText(undefined, undefined)).toBe('');
});
