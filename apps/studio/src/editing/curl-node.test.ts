import { createRegistry, type Descriptor, emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { curlNode } from './curl-node.ts';

const descriptor = { type: 'APIRequest', label: 'HTTP', fields: [], outputs: [] } as unknown as Descriptor;
const registry = createRegistry([{ descriptor }]);
const place = { x: 1, y: 2 };
const read = (text: string, known = registry) => curlNode(text, emptyFlow('f'), known, place);

it('makes an HTTP request of a curl command that is pasted', () => {
  expect(read("  $ curl -X POST 'https://x.test/a' \\\n  -d 'b=1'\n")).toMatchObject({
    id: expect.stringMatching(/^APIRequest/),
    type: 'APIRequest',
    position: place,
    values: { mode: 'cURL', curl_input: "curl -X POST 'https://x.test/a' \\\n  -d 'b=1'" },
  });
});

it.each(['curling is a sport', 'hello curl x', '{"nodes": []}', 'curl', `curl ${'x'.repeat(100_000)}`])(
  'makes none of %.30s',
  (text) => {
    expect(read(text)).toBeUndefined();
  },
);

it('makes none where the server has no such component', () => {
  expect(read('curl https://x.test', createRegistry([]))).toBeUndefined();
  expect(read(`curl ${'x'.repeat(99_995)}`)).toBeDefined();
});
