import { describe, expect, it } from 'vitest';
import { LineCutter } from './line-cutter.ts';

const MAX = 40;

/** The lines of a text that comes in chunks of this size; the ids of those that were too large, as `#id`. */
function cut(text: string, chunk = text.length): string[] {
  const out: string[] = [];
  const cutter = new LineCutter(
    MAX,
    (line) => out.push(line.toString()),
    ({ id }) => out.push(`#${id}`),
  );
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunk) cutter.push(bytes.subarray(at, at + chunk));
  cutter.finish();
  return out;
}

describe('a stream of lines', () => {
  it('is cut behind each line feed, with every byte, wherever the chunks end', () => {
    const text = 'one\r\n\ntwö\nlast';
    for (const chunk of [1, 2, 3, 5, 100])
      expect(cut(text, chunk), `${chunk}`).toEqual(['one\r\n', '\n', 'twö\n', 'last']);
    expect(cut('')).toEqual([]);
    expect(cut('a\n')).toEqual(['a\n']);
  });

  it('keeps a line of the limit, and drops one that is a byte longer', () => {
    const [fits, long] = [`${'x'.repeat(MAX - 1)}\n`, `${'x'.repeat(MAX)}\n`];
    for (const chunk of [1, 7, 100]) expect(cut(fits + long + fits, chunk)).toEqual([fits, '#undefined', fits]);
  });
});

describe('a line that is too large', () => {
  const filler = 'x'.repeat(MAX);
  it.each([
    [`{"id":7,"method":"tools/call","params":"${filler}"}`, '7'],
    [`{"params":{"id":1,"a":["]}",{"id":2}]},"text":"${filler}","id":"a\\"b"}`, '"a\\"b"'],
    [`{"params":"\\"id\\":1,${filler}","id":-1.5e3}`, '-1.5e3'],
    [`{"\\u0069d":3,"params":"${filler}"}`, '3'],
    [`{"id":1,"id":2,"x":"${filler}"}`, '2'],
    [`{"id":null,"x":"${filler}"}`, 'undefined'],
    [`{"id":{"a":1},"x":"${filler}"}`, 'undefined'],
    [`{"method":"notification","x":"${filler}"}`, 'undefined'],
    [`{"id":7,"result":"${filler}"}`, 'undefined'],
    [`{"error":"${filler}","id":7}`, 'undefined'],
    [`{"id":"${'i'.repeat(2_000)}"}`, 'undefined'],
  ])('has the id of a request that waits for a response: %s', (line, id) => {
    for (const chunk of [1, 9, 10_000]) expect(cut(`${line}\n`, chunk)).toEqual([`#${id}`]);
  });
});
