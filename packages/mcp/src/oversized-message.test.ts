import { MAX_CONTENT_BYTES } from '@croft/tools';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_MESSAGE_BYTES, OMITTED_META_KEY, omittedBytesOf, OversizedReader } from './oversized-message.ts';

function read(text: string, cut = text.length) {
  const bytes = Buffer.from(text);
  const reader = new OversizedReader();
  for (let at = 0; at < bytes.length; at += cut) reader.read(bytes.subarray(at, at + cut));
  return reader.result();
}

const writing = (content: string, before = '') =>
  `{"jsonrpc":"2.0",${before}"method":"tools/call","params":{"name":"write_file","arguments":{"content":"${content}","path":"ü \\u0041"},"_meta":{"kept":{"a":[1]}}},"id":"späť"}`;

const LONG = 40_000;

it('keeps a call that is too large without its long arguments, and says their size', () => {
  const { id, wantsAnswer, call } = read(writing('x'.repeat(LONG)), 1_000);
  expect({ id, wantsAnswer }).toEqual({ id: 'späť', wantsAnswer: true });
  expect(call).toEqual({
    jsonrpc: '2.0',
    method: 'tools/call',
    params: {
      name: 'write_file',
      arguments: { path: 'ü A' },
      _meta: { kept: { a: [1] }, 'croft/omitted-bytes': { content: LONG } },
    },
    id: 'späť',
  });
});

it('reads the sizes of omitted arguments, and none from anything else', () => {
  expect(OMITTED_META_KEY).toBe('croft/omitted-bytes');
  expect(omittedBytesOf({ [OMITTED_META_KEY]: { a: 5, b: '7' }, other: 1 })).toEqual({ a: 5, b: 7 });
  for (const meta of [undefined, null, 'text', [], {}, { [OMITTED_META_KEY]: null }, { [OMITTED_META_KEY]: [1] }])
    expect(omittedBytesOf(meta)).toBeUndefined();
});

it('has room for the largest content in any escaping', () => {
  expect(MAX_MESSAGE_BYTES).toBe(6 * MAX_CONTENT_BYTES + 1_048_576);
});

it('omits strings above 32 KiB, and keeps ids up to 1,024 characters', () => {
  const sizes = (length: number, content = 'x'.repeat(length)) => {
    const { call } = read(writing(content));
    return omittedBytesOf((call as { params: { _meta: unknown } } | undefined)?.params._meta);
  };
  expect([sizes(32_768), sizes(32_769)]).toEqual([undefined, { content: 32_769 }]);
  const idOf = (id: unknown) => {
    const { call, ...rest } = read(JSON.stringify({ ...JSON.parse(writing('x'.repeat(LONG))), id }));
    return [rest.id === id ? 'same' : rest.id, rest.wantsAnswer, call !== undefined];
  };
  expect([7, 'i'.repeat(1_024), 'i'.repeat(1_025), true, null, {}, 'i'.repeat(LONG)].map(idOf)).toEqual([
    ['same', true, true],
    ['same', true, true],
    ...Array(5).fill([null, true, false]).with(2, ['same', true, false]),
  ]);
});

it('answers requests and text that is not a message, but no responses and no notifications', () => {
  const answers = (text: string) => {
    const { id, wantsAnswer } = read(text);
    return [id, wantsAnswer];
  };
  const long = `"${'x'.repeat(LONG)}"`;
  expect(
    [
      `{"id":1,"method":"m","params":${long}}`,
      `{"id":1,"result":${long}}`,
      `{"id":1,"error":${long}}`,
      `{"method":"m","params":${long}}`,
      `{"params":${long}}`,
      `{"id":1,"method":"m","params":${long}`,
      `[1,${long}]`,
      long,
      'null',
    ].map(answers),
  ).toEqual([
    [1, true],
    [1, false],
    [1, false],
    [null, false],
    [null, true],
    [null, true],
    [null, true],
    [null, true],
    [null, true],
  ]);
});

it('leaves out a value that is too large, with the long strings in it, and keeps those around it', () => {
  const long = 'x'.repeat(LONG);
  const call = JSON.stringify({ name: 'a', arguments: { note: 'n', content: long } });
  const textOf = (values: number) => {
    const large = `[${'1,'.repeat(values)}"${long}",{"a":["${long}"]}]`;
    return `{"jsonrpc":"2.0","before":1,"large":${large},"method":"tools/call","params":${call},"id":5}`;
  };
  const after = { name: 'a', arguments: { note: 'n' }, _meta: { [OMITTED_META_KEY]: { content: LONG } } };
  // The bound is reached before the first long string, and in it.
  for (const [values, cut] of [
    [200_000, undefined],
    [200_000, 997],
    [126_000, undefined],
  ] as const)
    expect(read(textOf(values), cut)).toEqual({
      id: 5,
      wantsAnswer: true,
      call: { jsonrpc: '2.0', before: 1, large: null, method: 'tools/call', params: after, id: 5 },
    });
});

it('counts the bytes a string decodes to, however it is escaped and cut', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\n', '"', '\\', '\u0001', 'é', '€', '🙂', '\ud800', '\udc00'),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 1 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 5_000 }),
      (parts, isAscii, cut) => {
        const text = [...parts, 'x'.repeat(LONG), ...parts].join('');
        const json = JSON.stringify(text).slice(1, -1);
        const escaped = isAscii
          ? json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
          : json;
        const { call } = read(writing(escaped), cut);
        const meta = (call as { params: { _meta: unknown } }).params._meta;
        expect(omittedBytesOf(meta)).toEqual({ content: Buffer.byteLength(text) });
      },
    ),
    { numRuns: 60 },
  );
});

it('counts the units around each change of their size, in every order', () => {
  const units = ['\u007f', '\u0080', '\u07ff', '\u0800', '\ud7ff', '\ud800', '\udbff', '\udc00', '\udfff', '\ue000'];
  const text = units.flatMap((one) => units.map((other) => `${one}${other}-`)).join('');
  const escaped = text.replace(/[^-]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const params = (read(writing('x'.repeat(LONG) + escaped)).call as { params: { _meta: unknown } }).params;
  expect(omittedBytesOf(params._meta)).toEqual({ content: LONG + Buffer.byteLength(text) });
});

it('keeps 256 KiB', () => {
  const idOf = (bytes: number) => {
    const [head, tail] = ['{"a":[', '1],"id":3}'];
    return read(`${head}${'1,'.repeat((bytes - head.length - tail.length) / 2)}${tail}`).id;
  };
  expect([idOf(262_144), idOf(262_146)]).toEqual([3, null]);
});

it('gives up on a message whose keys and small values take more than 224 KiB', () => {
  const idOf = (bytes: number) => {
    const filler = `"${'x'.repeat(7_164)}"`;
    const before = `{"a":[${Array(32).fill(filler).join()}],"b":`;
    const padded = before.replace('x', 'x'.repeat(bytes - before.length + 1));
    return read(`${padded}[${'1,'.repeat(20_000)}1],"id":3}`).id;
  };
  expect([idOf(229_372), idOf(229_373)]).toEqual([3, null]);
});

it('finds the id behind more values than it keeps, which make no call', () => {
  const many = `"params":{"name":"write_file","arguments":{"content":[${'1,'.repeat(300_000)}1]}}`;
  expect(read(`{"jsonrpc":"2.0","method":"tools/call",${many},"id":9}`)).toEqual({
    id: 9,
    wantsAnswer: true,
    call: undefined,
  });
});

it('keeps a bounded part of a message made of keys alone, and answers it without an id', () => {
  const keys = Array.from({ length: 60_000 }, (_, i) => `"key${i}":${i}`).join(',');
  expect(read(`{${keys},"id":3}`)).toEqual({ id: null, wantsAnswer: true, call: undefined });
});

it('makes no call of a message of another kind', () => {
  const long = 'x'.repeat(LONG);
  for (const message of [
    { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { name: 'a', arguments: { content: long } } },
    { jsonrpc: '1.0', id: 1, method: 'tools/call', params: { name: 'a', arguments: { content: long } } },
    { jsonrpc: '2.0', id: long, method: 'tools/call', params: { name: 'a', arguments: { content: long } } },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: long, arguments: {} } },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a', arguments: [long] } },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 5, arguments: { content: long } } },
    { jsonrpc: '2.0', method: 'tools/call', params: { name: 'a', arguments: { content: long } } },
  ])
    expect(read(JSON.stringify(message)).call, JSON.stringify(message).slice(0, 80)).toBeUndefined();
});

it('does not take a client’s text for an omitted one', () => {
  const forged = '00000000-0000-4000-8000-000000000000:7';
  const text = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'a', arguments: { note: forged, content: 'x'.repeat(LONG) } },
  });
  expect((read(text).call as { params: { arguments: unknown } }).params.arguments).toEqual({ note: forged });
});
