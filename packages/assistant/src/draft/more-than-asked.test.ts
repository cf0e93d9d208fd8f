import { createRegistry, type Descriptor, type FlowSpec } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { PATTERN_TYPE } from './from-components.ts';
import { doesMore, reachesMore, withComponents } from './more-than-asked.ts';
import { readRequest } from './request-parts.ts';
import { descriptorOf } from './testing.ts';
import { stemsOf } from './words.ts';

const component = (type: string, more: Partial<Descriptor> = {}) => ({ descriptor: descriptorOf(type, more) });
const registry = createRegistry([
  component('Trimmer', { keywords: ['shave'], description: 'Removes blanks' }),
  component('Fetcher', { effects: ['workspace-read', 'network-read'], keywords: ['shave', 'download'] }),
  component('Starter', { effects: ['network-read'], control: 'flow' as never }),
  component('Ending', { outputs: [] }),
  component(PATTERN_TYPE),
]);
const flow = (...types: string[]): FlowSpec => ({
  nodes: types.map((type, at) => ({ id: `N${at}`, type })),
  edges: [],
  config: [],
});

describe('a flow reaches more than a request asks for', () => {
  const reaches = (request: string, ...types: string[]) => reachesMore(flow(...types), readRequest(request), registry);

  it('where it reads from the network, and the request has no word of that component', () => {
    expect(reaches('paint it', 'Trimmer', 'Fetcher')).toBe(true);
    expect(reaches('download it', 'Trimmer', 'Fetcher')).toBe(false);
    expect(reaches('use the fetcher', 'Fetcher')).toBe(false);
  });

  it('where the word is also one of a component that stays inside', () => {
    expect(reaches('shave it', 'Fetcher')).toBe(false);
    expect(reaches('shave it', 'Trimmer', 'Fetcher')).toBe(true);
  });

  it('and not where the request has an address, or no component is outside', () => {
    expect(reaches('paint https://example.com', 'Fetcher')).toBe(false);
    expect(reaches('paint it', 'Trimmer', 'Starter', 'Unknown')).toBe(false);
  });
});

it('does more where a step has no word of the request', () => {
  const does = (request: string, ...types: string[]) => doesMore(flow(...types), readRequest(request).words, registry);
  expect(does('paint it', 'Trimmer')).toBe(true);
  expect(does('remove blanks', 'Trimmer')).toBe(false);
  expect(does('remove blanks', 'Trimmer', 'Fetcher')).toBe(true);
  expect(does('paint it', 'Ending', PATTERN_TYPE, 'Unknown')).toBe(false);
});

it('adds the words of the names of components, and not of their descriptions', () => {
  expect([...withComponents(new Set(['paint']), flow('Trimmer', 'Unknown'), registry)]).toEqual([
    'paint',
    ...new Set(stemsOf('Trimmer shave')),
  ]);
});
