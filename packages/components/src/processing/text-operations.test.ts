import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOf } from '../../../../tests/support/yardstick.ts';
import { runNode, runSpec, textsOf, declaredBy, withShortJobs } from '../testing.ts';
import { linesThat } from './lines-that.ts';
import { firstCharacters, lastCharacters } from './text-parts.ts';
import { textOperations } from './text-operations.ts';

const LOG = 'INFO start\nDEBUG a\nerror: disk\nDEBUG b';

const run = (operation: string, text: string, config: Readonly<Record<string, unknown>> = {}, more = {}) =>
  runNode(
    { type: 'TextOperations', output: 'message', input: 'text_input', value: text, config: { operation, ...config } },
    more,
  );
const changed = async (...given: Parameters<typeof run>) => (await run(...given)).value;

describe('TextOperations', () => {
  it.each([
    ['Keep lines', LOG, { search_pattern: 'DEBUG' }, 'DEBUG a\nDEBUG b'],
    ['Drop lines', LOG, { search_pattern: 'DEBUG' }, 'INFO start\nerror: disk'],
    ['Keep lines', LOG, { search_pattern: 'debug' }, ''],
    ['Keep lines', LOG, { search_pattern: 'Error', ignore_case: true }, 'error: disk'],
    ['Keep lines', LOG, { search_pattern: '^(INFO|error)', use_regex: true }, 'INFO start\nerror: disk'],
    ['Drop lines', LOG, { search_pattern: '[AB]$', use_regex: true, ignore_case: true }, 'INFO start\nerror: disk'],
    ['Keep lines', 'a\r\nb\r\nab\r\n', { search_pattern: 'a$', use_regex: true }, 'a\r\n'],
    ['Drop lines', 'a\n\n b\n \n', { search_pattern: '^\\s*$', use_regex: true }, 'a\n b\n'],
    ['Upper case', 'straße, élan', {}, 'STRASSE, ÉLAN'],
    ['Lower case', 'ÉLAN Vital', {}, 'élan vital'],
    ['Title case', "don't SHOUT at éLAN 2nd", {}, "Don't Shout At Élan 2nd"],
    ['Trim', ' \n a b \t', {}, 'a b'],
    ['Trim', ' a ', { strip_mode: 'left' }, 'a '],
    ['Trim', ' a ', { strip_mode: 'right' }, ' a'],
    ['Replace', 'a.b.c', { search_pattern: '.', replacement_text: ' $& ' }, 'a $& b $& c'],
    ['Replace', 'a.b', { search_pattern: '.' }, 'ab'],
    ['Replace', 'Ab.AB', { search_pattern: 'ab', replacement_text: '$1', ignore_case: true }, '$1.$1'],
    ['Replace', 'k=v', { search_pattern: '(\\w)=(?P<b>\\w)', replacement_text: '$<b>:$1', use_regex: true }, 'v:k'],
    ['First lines', LOG, { count: 2 }, 'INFO start\nDEBUG a'],
    ['Last lines', LOG, { count: 1 }, 'DEBUG b'],
    ['Last lines', 'a\nb\n', { count: 1 }, 'b\n'],
    ['First lines', 'a\nb\n', {}, 'a\nb\n'],
    ['First characters', '🚀🚀ab', { count: 2 }, '🚀🚀'],
    ['Last characters', 'ab🚀🚀', { count: 3 }, 'b🚀🚀'],
  ])('%s of %j with %j gives %j', async (operation, text, config, expected) => {
    expect(await changed(operation, text, config)).toEqual({ text: expected });
  });

  it('takes the text to find from another component', async () => {
    const { text } = await runSpec([
      'nodes:',
      '  I: ChatInput',
      '  W: TextInput',
      '  K: TextOperations',
      '  U: TextOperations',
      '  O: ChatOutput',
      'edges:',
      '  I.message -> K.text_input',
      '  W.text -> K.search_pattern',
      '  K.message -> U.text_input',
      '  U.message -> O.input_value',
      'config:',
      `  I.input_value: ${JSON.stringify(LOG)}`,
      '  W.input_value: disk',
      '  K.operation: Keep lines',
      '  U.operation: Upper case',
    ]);
    expect(text).toBe('ERROR: DISK');
  });

  it('needs a text to find only where it looks for one', async () => {
    expect((await run('Keep lines', LOG)).failure).toMatchObject({ field: 'search_pattern' });
    expect((await run('Upper case', LOG)).status).toBe('completed');
  });

  it('says what is wrong with an expression, and that an empty text cannot be found', async () => {
    const broken = { search_pattern: '(a)\\1', use_regex: true };
    expect((await run('Replace', 'aa', broken)).failure?.fix).toContain('RE2');
    const lines = [
      'nodes:',
      '  W: TextInput',
      '  K: TextOperations',
      'edges:',
      '  W.text -> K.search_pattern',
      'config:',
    ];
    const empty = await runSpec([...lines, '  K.text_input: a', '  K.operation: Replace']);
    expect(empty.failure).toMatchObject({ message: 'The text to find is empty.', fix: expect.any(String) as string });
  });

  it.each(['Keep lines', 'Drop lines', 'Replace'])(
    'ends an expression that takes too long, and holds no timer up meanwhile: %s',
    async (operation) => {
      let ticks = 0;
      const timer = setInterval(() => ticks++, 10);
      const slow = { search_pattern: '([a-z]{1,500})[0-9]', use_regex: true };
      const { failure } = await withShortJobs(() => run(operation, 'x'.repeat(900_000), slow));
      clearInterval(timer);
      expect(failure?.message).toContain('takes too long');
      expect(ticks).toBeGreaterThan(10);
    },
  );

  it('refuses a result that is too large, before it is made', async () => {
    const config = { search_pattern: 'a', replacement_text: 'b'.repeat(10_000) };
    expect((await run('Replace', 'a'.repeat(10_000), config)).failure?.message).toContain(
      'more than 33554432 characters',
    );
  });

  it.each([
    ['Upper case', {}],
    ['Title case', {}],
    ['Keep lines', { search_pattern: 'DEBUG' }],
    ['Keep lines', { search_pattern: 'DEBUG', use_regex: true }],
  ])('gives nothing in a cancelled run: %s %j', async (operation, config) => {
    const abort = new AbortController();
    const onEvent = ({ kind }: { readonly kind: string }) => {
      if (kind === 'node_started') abort.abort();
    };
    const ran = await run(operation, LOG, config, { signal: abort.signal, onEvent });
    expect([ran.status, ran.value]).toEqual(['cancelled', undefined]);
  });

  it('lets others run while it changes a large text', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 10);
    const { status } = await run('Title case', 'one two '.repeat(1_000_000));
    clearInterval(timer);
    expect([status, ticks > 5]).toEqual(['completed', true]);
  });
});

describe('lines of a text', () => {
  it('are those that split and join give, with their breaks', () => {
    const line = fc.stringMatching(/^[ab\r]{0,3}$/);
    fc.assert(
      fc.property(fc.array(line), fc.boolean(), (lines, isEnded) => {
        const text = lines.join('\n') + (isEnded && lines.length > 0 ? '\n' : '');
        expect(linesThat(text, () => true)).toBe(text.endsWith('\n') ? text : text.replace(/\r?\n$/, ''));
        const own = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
        const kept = own.filter((each) => each.includes('a'));
        const result = linesThat(text, (each) => each.includes('a'));
        expect(result.replace(/\n$/, '').replace(/\r$/, '')).toBe(kept.join('\n').replace(/\r$/, ''));
      }),
    );
  });

  it('are found in time in proportion to the text', async () => {
    const text = 'abc\n'.repeat(300_000);
    const search = () => linesThat(text, (line, at) => at % 2 === 0 && line !== '');
    await expect.poll(() => costOf(search)).toBeLessThan(50);
  });
});

describe('characters of a text', () => {
  it('are those of its code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(12), (text, count) => {
        const points = Array.from(text);
        expect(firstCharacters(text, count)).toBe(points.slice(0, count).join(''));
        expect(lastCharacters(text, count)).toBe(count === 0 ? '' : points.slice(-count).join(''));
      }),
    );
  });
});

it('declares its effects and ports', () => {
  expect(declaredBy(textOperations)).toEqual([
    'TextOperations: none',
    'text_input: multiline Message required toolParameter',
    'operation: select required toolParameter of Keep lines|Drop lines|Upper case|Lower case|Title case|Trim|Replace|First lines|Last lines|First characters|Last characters',
    'search_pattern: text Message portWhenConnected required toolParameter variables=false if operation Keep lines|Drop lines|Replace',
    'replacement_text: text Message default="" portWhenConnected toolParameter variables=false if operation Replace',
    'use_regex: switch default=false if operation Keep lines|Drop lines|Replace',
    'ignore_case: switch advanced default=false if operation Keep lines|Drop lines|Replace',
    'count: integer default=10 max=1000000 min=0 toolParameter if operation First lines|Last lines|First characters|Last characters',
    'strip_mode: select advanced default="both" of both|left|right if operation Trim',
    'message: gives Message',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(textOperations.descriptor)).toEqual([
    'Text operations (type): Keeps or drops the lines of a text that contain a word, changes its case, trims it, replaces a part of it, or takes its first or last lines.',
    'processing | uppercase | lowercase | capital letters | filter lines | grep | strip | substitute | head | tail',
    'text_input: Text',
    'operation: Operation',
    'search_pattern: Text to find',
    'replacement_text: Replacement',
    'use_regex: Regular expression | RE2 syntax: linear time, without backreferences and lookaround. A replacement may use groups: $1, $<name>.',
    'ignore_case: Ignore case',
    'count: Number',
    'strip_mode: Ends',
    'message: Text',
  ]);
});
