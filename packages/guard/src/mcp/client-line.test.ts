import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ClientLine, readClientLine } from './client-line.ts';
import { jsonEntries } from './json-entries.ts';

const read = (text: string | Uint8Array): ClientLine =>
  readClientLine(typeof text === 'string' ? Buffer.from(text) : Buffer.from(text));
const callOf = (params: string, more = '') =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}${more}}\n`;

describe('a line from an MCP client', () => {
  it.each([
    '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n',
    '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\r\n',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}\n',
    '{"id":7,"jsonrpc":"2.0","result":{"content":[{"type":"text","text":"tools/call"}]}}\n',
    '  { "jsonrpc" : "2.0" , "id" : 1e0 , "method" : "ping" }  \n',
    '{"jsonrpc":"2.0","id":"é\\u00e9","method":"resources/read","params":{"uri":"file:///a","uri2":"tools/call"}}\n',
    '\n',
    '\r\n',
    '   \n',
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  ])('passes byte for byte: %j', (text) => {
    const line = read(text);
    expect(line.kind === 'pass' && line.bytes.toString()).toBe(text);
  });

  it('is a call with its arguments and id as written', () => {
    const line = read(
      '{"id":12345678901234567890,"method":"tools\\/call","params":{"name":"w","arguments":{"a":1,"a":2}}}\n',
    );
    expect(line).toMatchObject({
      kind: 'call',
      call: { name: 'w', arguments: '{"a":1,"a":2}' },
      answer: { id: '12345678901234567890', isModern: false },
    });
  });

  it('is a call of the newer era when it says so', () => {
    const meta =
      '{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"me"}}';
    expect(read(callOf(`{"name":"w","_meta":${meta}}`))).toMatchObject({ answer: { isModern: true }, caller: 'me' });
  });

  it.each([
    ['no JSON', 'hello\n'],
    ['no JSON, like a call', '{"method":"tools/call",}\n'],
    ['comments', '{/**/"method":"tools/call"}\n'],
    ['a byte order mark', '\ufeff{"method":"tools/call","params":{"name":"x"}}\n'],
    ['a batch', '[{"id":1,"method":"tools/call","params":{"name":"x"}},{"method":"ping","id":"b"}]\n'],
    ['an empty batch', '[]\n'],
    ['a number', '1\n'],
    ['null', 'null\n'],
    ['a method twice', '{"id":1,"method":"ping","method":"tools/call","params":{"name":"x"}}\n'],
    ['a method in capitals', '{"id":1,"method":"ping","Method":"tools/call","params":{"name":"x"}}\n'],
    ['a method in other letters', '{"id":1,"method":"tools/call","param\u017f":{"name":"x"},"params":{"name":"y"}}\n'],
    ['params twice', callOf('{"name":"x"}', ',"params":{"name":"y"}')],
    ['an escaped key twice', callOf('{"name":"x"}', ',"p\\u0061rams":{"name":"y"}')],
    ['a prototype', '{"__proto__":{"method":"tools/call","params":{"name":"x"}},"id":1}\n'],
    ['a method in another spelling', '{"id":1,"method":"Tools/Call","params":{"name":"x"}}\n'],
    ['a method with blanks', '{"id":1,"method":"tools/call ","params":{"name":"x"}}\n'],
    ['a method that is a list', '{"id":1,"method":["tools/call"],"params":{"name":"x"}}\n'],
    ['params in a list', callOf('["x",{}]')],
    ['no params', '{"id":1,"method":"tools/call"}\n'],
    ['an id that is an object', '{"id":{},"method":"tools/call","params":{"name":"x"}}\n'],
    [
      'a message within carriage returns',
      '{"method":"x","params":\r{"id":1,"method":"tools/call","params":{"name":"x"}}\r}\n',
    ],
    ['a carriage return alone', '\r\r\n'],
  ])('is refused: %s', (_, text) => {
    expect(read(text).kind).toBe('refuse');
  });

  it('is refused if it is not UTF-8', () => {
    expect(read(Buffer.from([...Buffer.from('{"method":"ping","x":"'), 0xff, ...Buffer.from('"}\n')])).kind).toBe(
      'refuse',
    );
    expect(read(Buffer.from('{"method":"ping"}\n', 'utf16le')).kind).toBe('refuse');
  });

  it('has the ids of its requests if it is a refused batch', () => {
    expect(
      read('[{"id":1,"method":"ping"},{"id":"b","method":"tools/call"},{"method":"note"},{"id":3,"result":{}}]\n'),
    ).toMatchObject({
      ids: ['1', '"b"'],
    });
  });

  it.each([
    ['the name twice', '{"name":"read","name":"write"}'],
    ['the name in capitals too', '{"name":"read","Name":"write"}'],
    ['the arguments twice', '{"name":"w","arguments":{"path":"a"},"arguments":{"path":"/etc/x"}}'],
    ['arguments in capitals', '{"name":"w","Arguments":{"path":"/etc/x"}}'],
    ['no name', '{"arguments":{}}'],
    ['a name that is not a string', '{"name":{"a":1},"arguments":{}}'],
    ['arguments as text', '{"name":"w","arguments":"{}"}'],
    ['arguments as a list', '{"name":"w","arguments":["/etc/x"]}'],
    ['a prototype', '{"name":"w","__proto__":{"arguments":{"path":"/etc/x"}}}'],
  ])('is a call that cannot be judged: %s', (_, params) => {
    const line = read(callOf(params));
    expect(line.kind === 'call' && line.fault).toBeTruthy();
  });

  it.each<[string, number, string, readonly string[]]>([
    ['x\n', -32_700, 'Not JSON: one message a line is expected', []],
    ['{\r}\n', -32_700, 'The message holds a carriage return: one message a line is expected', []],
    ['\r\r\n', -32_700, 'The message holds a carriage return: one message a line is expected', []],
    ['7\n', -32_600, 'Not a JSON-RPC message', []],
    ['null\n', -32_600, 'Not a JSON-RPC message', []],
    [
      '[{"id":1,"method":"a"},{"id":2},7]\n',
      -32_600,
      'Batches are not taken: send each message on a line of its own',
      ['1'],
    ],
    ['{"id":1,"method":7}\n', -32_600, 'The method is not a string', ['1']],
    ['{"id":"a","method":"Tools/Call"}\n', -32_600, 'The method is written "Tools/Call", not tools/call', ['"a"']],
    [
      `{"method":"${' '.repeat(38)}tools/call"}\n`,
      -32_600,
      `The method is written "${' '.repeat(38)}to", not tools/call`,
      [],
    ],
    ['{"id":1,"method":"tools/call","params":[]}\n', -32_600, 'A tool call needs params: an object', ['1']],
    ['{"id":true,"method":"tools/call","params":{}}\n', -32_600, 'The id is neither a text nor a number', []],
    [
      '{"id":1,"id":2,"method":"a"}\n',
      -32_600,
      'The message holds the key "id" twice, and programs differ in which one they take',
      ['2'],
    ],
    [
      '{"id":1,"method":"a","Params":1}\n',
      -32_600,
      'The message spells the key "params" as "Params", which programs read differently',
      ['1'],
    ],
    ['{"__proto__":1}\n', -32_600, 'The message holds the key "__proto__", which programs read differently', []],
  ])('is refused with a code, a message and the ids: %j', (text, code, message, ids) => {
    expect(read(text)).toEqual({ kind: 'refuse', code, message, ids });
  });

  it('is refused with the ids of the first 100 requests of a batch', () => {
    const batch = Array.from({ length: 101 }, (_, id) => ({ id, method: 'a' }));
    expect(read(`${JSON.stringify(batch)}\n`)).toMatchObject({ ids: batch.slice(0, 100).map(({ id }) => `${id}`) });
    expect(read(Buffer.of(0xff, 10))).toEqual({
      kind: 'refuse',
      code: -32_700,
      message: 'The message is not UTF-8',
      ids: [],
    });
  });

  it('is not refused for a long key, for other keys twice, or for keys of a call in a message', () => {
    const text = `{"${' '.repeat(35)}method":1,"a":1,"a":2,"Name":3,"name":4,"method":"x"}\n`;
    expect(read(text)).toEqual({ kind: 'pass', bytes: Buffer.from(text) });
    expect(read(`{"${' '.repeat(34)}method":1}\n`).kind).toBe('refuse');
  });

  it('names the client that opens a session', () => {
    const open = (params: string) => read(`{"method":"initialize","params":${params}}\n`);
    expect(open('{"clientInfo":{"name":"me"}}')).toMatchObject({ kind: 'pass', caller: 'me' });
    for (const params of ['{"clientInfo":{"name":""}}', '{"clientInfo":{"name":7}}', '{"clientInfo":null}', 'null'])
      expect(open(params), params).toMatchObject({ kind: 'pass', caller: undefined });
    expect(read('{"method":"other","params":{"clientInfo":{"name":"me"}}}\n')).not.toHaveProperty('caller');
  });

  it.each<[string, object]>([
    ['{"name":"w","arguments":{"a" : 1}}', { call: { name: 'w', arguments: '{"a" : 1}' } }],
    ['{"name":"w","arguments":null}', { call: { name: 'w', arguments: undefined } }],
    ['{"name":"w"}', { call: { name: 'w', arguments: undefined } }],
    [
      '{"name":"w","arguments":[]}',
      {
        call: { name: 'w', arguments: '[]' },
        fault: { rule: 'invalid-arguments', reason: 'The arguments are not a JSON object' },
      },
    ],
    [
      '{"name":"w","arguments":7}',
      {
        call: { name: 'w', arguments: '7' },
        fault: { rule: 'invalid-arguments', reason: 'The arguments are not a JSON object' },
      },
    ],
    [
      '{"name":7}',
      {
        call: { name: '', arguments: undefined },
        fault: { rule: 'invalid-arguments', reason: 'The call names no tool' },
      },
    ],
    [
      '{"name":"a","name":"b"}',
      {
        call: { name: 'b', arguments: undefined },
        fault: {
          rule: 'ambiguous-arguments',
          reason: 'The message holds the key "name" twice, and programs differ in which one they take',
        },
      },
    ],
    [
      '{"name":"w","_meta":{"io.modelcontextprotocol/clientInfo":{"name":"me"}}}',
      { call: { name: 'w', arguments: undefined }, caller: 'me' },
    ],
  ])('is a call as a whole: %s', (params, expected) => {
    const text = callOf(params);
    expect(read(text)).toEqual({
      kind: 'call',
      bytes: Buffer.from(text),
      answer: { id: '1', isModern: false },
      ...expected,
    });
  });

  it('is a call without an id if it is a notification', () => {
    expect(read('{"method":"tools/call","params":{"name":"w"}}\n')).toMatchObject({ answer: { id: undefined } });
  });

  it('cannot hide a line from a server that breaks lines elsewhere', () => {
    const content = 'a\u2028{"id":2,"method":"tools/call","params":{"name":"w"}}\u2029b\u0085c';
    const line = read(callOf(JSON.stringify({ name: 'w', arguments: { path: 'a', content } })));
    const bytes = line.kind === 'call' ? line.bytes.toString() : '';
    expect(bytes).not.toMatch(/[\u2028\u2029\u0085]/);
    expect((JSON.parse(bytes) as { params: { arguments: object } }).params.arguments).toEqual({ path: 'a', content });
  });

  it('is cut into members as JSON.parse cuts it', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()),
        fc.constantFrom(0, 2),
        (value, indent) => {
          const entries = jsonEntries(JSON.stringify(value, null, indent));
          const plain = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
          expect(entries.map(({ key }) => key).sort()).toEqual(Object.keys(plain).sort());
          for (const { key, raw } of entries) expect(JSON.parse(raw)).toEqual(plain[key]);
        },
      ),
    );
    expect(jsonEntries('{"a":[1,{"b":"\\\\"}],"a" : "}\\"," , "c":null}')).toEqual([
      { key: 'a', raw: '[1,{"b":"\\\\"}]' },
      { key: 'a', raw: '"}\\","' },
      { key: 'c', raw: 'null' },
    ]);
    expect(jsonEntries('{}')).toEqual([]);
  });
});
