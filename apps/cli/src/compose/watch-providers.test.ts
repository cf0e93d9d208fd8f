import type { Models } from '@croft/models';
import { expect, it } from 'vitest';
import { watchProviders } from './watch-providers.ts';

function watched(preferred = 'croft') {
  const asked: unknown[] = [];
  const models = {
    preferred: { provider: preferred, name: 'm' },
    embed: (request: unknown) => asked.push(['embed', request]),
    stream: (request: unknown) => asked.push(['stream', request]),
    list: 'kept',
  } as unknown as Models;
  return { asked, watch: watchProviders(models) };
}
const of = (provider: string) => ({ model: { provider, name: 'm' } }) as never;

it('passes requests on and keeps the rest', () => {
  const { asked, watch } = watched();
  expect(watch.models.stream(of('croft'))).toBe(1);
  expect(watch.models.embed(of('croft') as never)).toBe(2);
  expect(asked).toEqual([
    ['stream', of('croft')],
    ['embed', of('croft')],
  ]);
  expect(watch.models).toMatchObject({ list: 'kept' });
});

it('notices a request to a provider, and not one to croft/offline', () => {
  const { watch } = watched();
  watch.models.stream({} as never);
  watch.models.stream(of('croft'));
  expect(watch.hasAskedProvider()).toBe(false);
  watch.models.stream(of('openai'));
  expect(watch.hasAskedProvider()).toBe(true);
  watch.models.stream(of('croft'));
  expect(watch.hasAskedProvider()).toBe(true);
});

it('notices a request to a preferred provider and every embedding', () => {
  const preferred = watched('openai').watch;
  preferred.models.stream({} as never);
  expect(preferred.hasAskedProvider()).toBe(true);
  const { watch } = watched();
  void watch.models.embed({} as never);
  expect(watch.hasAskedProvider()).toBe(true);
});
