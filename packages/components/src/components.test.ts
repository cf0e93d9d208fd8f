import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildFromSpec, type Descriptor, type RunEvent, type RunResult, runToEnd, validateFlow } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { useWorkspace } from '../../../tests/support/use-workspace.ts';
import { BUILTIN, builtinRegistry } from './builtin.ts';
import { splitInto } from './editable/split-text.ts';
import { evaluate } from './editable/calculator.ts';

const registry = builtinRegistry();
const { dir, workspace } = useWorkspace([
  'notes.md = alpha beta\ngamma delta\n',
  'docs/a.md = find me here\nnot this\n',
]);

interface Ran extends RunResult {
  readonly events: readonly RunEvent[];
}

async function run(spec: string, more: { signal?: AbortSignal; withoutFiles?: boolean } = {}): Promise<Ran> {
  const built = buildFromSpec(spec, registry);
  if ('error' in built) throw new Error(`${built.error}: ${built.details}`);
  const services = { ...(more.withoutFiles !== true && { workspace }), now: () => new Date('2026-03-01T12:00:00Z') };
  const events: RunEvent[] = [];
  const options = { registry, services, ...(more.signal && { signal: more.signal }) };
  const result = await runToEnd(built.flow, options, (event) => void events.push(event));
  return { ...result, events };
}

/** One component between a text and the flow's answer. */
const single = (type: string, input: string, output: string, config: readonly string[], text = 'x') =>
  run(
    [
      'nodes:',
      '  I: TextInput',
      `  C: ${type}`,
      '  O: ChatOutput',
      'edges:',
      `  I.text -> C.${input}`,
      `  C.${output} -> O.input_value`,
      'config:',
      `  I.input_value: ${JSON.stringify(text)}`,
      ...config.map((line) => `  C.${line}`),
    ].join('\n'),
  );

describe('descriptors', () => {
  it('declare that they may ask a model where they take one', () => {
    const takesModel = ({ fields }: Descriptor) =>
      fields.some(
        ({ kind, accepts }) =>
          kind.endsWith('model') || accepts?.some((type) => type === 'LanguageModel' || type === 'Embeddings') === true,
      );
    const taking = BUILTIN.map(({ descriptor }) => descriptor).filter(takesModel);
    expect(taking.length).toBeGreaterThan(5);
    expect(taking.filter(({ effects }) => !effects.includes('model')).map(({ type }) => type)).toEqual([]);
  });

  it.each(BUILTIN.map(({ descriptor }) => [descriptor.type, descriptor] as const))(
    '%s can be shown by an inspector',
    (_, descriptor) => {
      expect(descriptor.type).toMatch(/^[A-Z][A-Za-z]+$/);
      expect(descriptor.description).toMatch(/\.$/);
      expect(descriptor.effects.length).toBeGreaterThan(0);
      for (const field of descriptor.fields) {
        expect(field.label, field.name).not.toBe('');
        // A choice without a default is the user's.
        if (field.kind === 'select' && field.default === undefined)
          expect([field.required, (field.options?.length ?? 0) > 1], field.name).toEqual([true, true]);
        else if (field.kind === 'select') expect(field.options, field.name).toContain(field.default);
        if (field.kind === 'handle') expect(field.accepts?.length, field.name).toBeGreaterThan(0);
        if (field.showWhen) expect(descriptor.fields.map(({ name }) => name)).toContain(field.showWhen.field);
      }
      expect(JSON.parse(JSON.stringify(descriptor))).toEqual(descriptor);
    },
  );

  it('leave settings that an edge may bring off the cards until one does', () => {
    const portsOfType = (type: string) => {
      const fields = BUILTIN.find(({ descriptor }) => descriptor.type === type)?.descriptor.fields ?? [];
      return fields.flatMap(({ name, accepts, portWhenConnected }) =>
        accepts?.length && portWhenConnected !== true ? [name] : [],
      );
    };
    expect(portsOfType('ChatOutput')).toEqual(['input_value']);
    expect(portsOfType('ParserComponent')).toEqual(['input_data']);
    expect(portsOfType('SplitText')).toEqual(['data_inputs']);
  });

  it('gives no two components the same name or alias', () => {
    const names = BUILTIN.flatMap(({ descriptor }) => [descriptor.type, ...(descriptor.aliases ?? [])]);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('text components', () => {
  it('fills a template from inputs', async () => {
    const spec =
      'nodes:\n  A: TextInput\n  P: PromptTemplate\n  O: ChatOutput\nconfig:\n  A.input_value: Ada\n  P.template: Dear {name}!\nedges:\n  A.text -> P.name\n  P.prompt -> O.input_value';
    expect((await run(spec)).text).toBe('Dear Ada!');
  });

  it('parses JSON in a text and formats rows by a pattern', async () => {
    const spec = [
      'nodes:',
      '  I: TextInput',
      '  T: TypeConverterComponent',
      '  P: ParserComponent',
      '  O: ChatOutput',
      'edges:',
      '  I.text -> T.input_data',
      '  T.dataframe_output -> P.input_data',
      '  P.parsed_text -> O.input_value',
      'config:',
      '  I.input_value: "[{\\"n\\":1},{\\"n\\":2}]"',
      '  P.pattern: "n={n}"',
      '  P.sep: ","',
    ].join('\n');
    expect((await run(spec)).text).toBe('n=1,n=2');
  });

  it('fails for a pattern with a name that no record has, instead of giving a text without the values', async () => {
    const spec = (pattern: string) =>
      `nodes:\n  R: ReadData\n  P: ParserComponent\n  O: ChatOutput\nedges:\n  R.dataframe -> P.input_data\n  P.parsed_text -> O.input_value\nconfig:\n  R.source: Text\n  R.text: "[{\\"a\\":1},{\\"b\\":2}]"\n  P.pattern: "${pattern}"\n  P.sep: ","`;
    expect(await run(spec('{a}-{b}'))).toMatchObject({ status: 'completed', text: '1-,-2' });
    expect(await run(spec('{a}-{text}'))).toMatchObject({
      status: 'failed',
      failure: {
        message: "No record has a value 'text', which the pattern names.",
        fix: expect.stringContaining('a, b') as string,
      },
    });
  });

  it.each([
    ['one', 1],
    ['one\n', 1],
    ['one\n\n', 2],
    ['one\ntwo', 2],
  ])('counts lines as files have them: %j', async (text, lines) => {
    const { text: shown } = await single('TextStatistics', 'text_input', 'data', [], text);
    expect(shown).toContain(`"lines": ${lines},`);
  });

  it('joins texts and leaves out empty ones', async () => {
    const spec =
      'nodes:\n  A: TextInput\n  B: TextInput\n  C: CombineText\n  O: ChatOutput\nconfig:\n  A.input_value: one\n  B.input_value: two\n  C.delimiter: "-"\nedges:\n  A.text -> C.texts\n  B.text -> C.texts\n  C.combined_text -> O.input_value';
    expect((await run(spec)).text).toBe('one-two');
  });

  it('counts words in any script', async () => {
    const { outputs } = await single('TextStatistics', 'text_input', 'data', [], "Don't panic, größer\nпривет");
    expect(Object.values(outputs)[0]?.['message']).toMatchObject({
      text: expect.stringContaining('"words": 4') as string,
    });
  });

  it('splits a text into chunks that lose no character and stay within the limit', () => {
    const text = 'One sentence here. Another one follows.\n\nA new paragraph with words. '.repeat(20);
    const chunks = splitInto(text, 100, 0, ['\n\n', '\n', '. ', ' ', '']);
    expect(chunks.every((chunk) => chunk.length <= 100)).toBe(true);
    expect(chunks.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
    expect(splitInto('x'.repeat(1_000), 10, 5, [''])).toHaveLength(199);
  });

  it('refuses an overlap above half of a chunk, with advice', async () => {
    const { failure } = await single('SplitText', 'data_inputs', 'dataframe', ['chunk_size: 5', 'chunk_overlap: 3']);
    expect(failure).toMatchObject({
      message: expect.stringContaining('overlap') as string,
      fix: expect.stringContaining('chunk_overlap') as string,
    });
  });
});

describe('rows', () => {
  const ROWS: readonly object[] = [
    { n: 10, c: 'x' },
    { n: 9, c: 'y' },
    { n: 100, c: 'x' },
  ];

  const rowsFlow = (type: string, config: string, rows = ROWS) =>
    run(
      [
        'nodes:',
        '  I: TextInput',
        '  T: TypeConverterComponent',
        `  R: ${type}`,
        '  P: ParserComponent',
        '  O: ChatOutput',
        'edges:',
        '  I.text -> T.input_data',
        '  T.dataframe_output -> R.df',
        '  R.output -> P.input_data',
        '  P.parsed_text -> O.input_value',
        'config:',
        `  I.input_value: ${JSON.stringify(JSON.stringify(rows))}`,
        '  P.pattern: "{n}"',
        '  P.sep: " "',
        ...config.split('\n').map((line) => `  R.${line}`),
      ].join('\n'),
    );

  it('keeps the rows that meet a condition', async () => {
    expect((await rowsFlow('FilterRows', 'column_name: c\nfilter_value: x')).text).toBe('10 100');
    expect((await rowsFlow('FilterRows', 'column_name: n\noperator: greater than\nfilter_value: "9"')).text).toBe(
      '10 100',
    );
  });

  it('sorts numbers as numbers, and keeps the first', async () => {
    expect((await rowsFlow('SortRows', 'column_name: n')).text).toBe('9 10 100');
    expect((await rowsFlow('SortRows', 'column_name: n\nascending: false\nlimit: 1')).text).toBe('100');
  });

  it.each([
    ['SortRows', 'column_name: total'],
    ['FilterRows', 'column_name: total\noperator: is empty'],
    ['AggregateRows', 'group_by: c, total'],
    ['AggregateRows', 'aggregations: [{"column_name": "total", "operation": "sum"}]'],
  ])('fails where no row has the column, with the columns that there are: %s, %s', async (type, config) => {
    expect((await rowsFlow(type, config)).failure).toMatchObject({
      node: expect.stringContaining(type),
      message: "No row has a column 'total'.",
      fix: 'Use one of these: n, c.',
    });
  });

  it.each(['SortRows', 'FilterRows'])('gives no error for rows without any value: %s', async (type) => {
    const { failure } = await rowsFlow(type, 'column_name: total', [{}, {}]);
    expect(failure?.node).toContain('ParserComponent');
    const later = [...Array.from({ length: 200 }, () => ({})), { n: 1 }];
    expect((await rowsFlow(type, 'column_name: total', later)).failure?.fix).toBe('Use one of these: n.');
  });
});

describe('logic', () => {
  const branches = (text: string) =>
    run(
      [
        'nodes:',
        '  I: TextInput',
        '  R: ConditionalRouter',
        '  Y: TextInput',
        '  N: TextInput',
        '  F: FirstAvailable',
        '  O: ChatOutput',
        'edges:',
        '  I.text -> R.input_text',
        '  R.true_result -> Y.input_value',
        '  R.false_result -> N.input_value',
        '  Y.text -> F.values',
        '  N.text -> F.values',
        '  F.value -> O.input_value',
        'config:',
        `  I.input_value: ${text}`,
        '  R.operator: contains',
        '  R.match_text: go',
      ].join('\n'),
    );

  it('takes one branch and prunes the other', async () => {
    const ran = await branches('let us go');
    expect(ran.text).toBe('let us go');
    expect(ran.events.filter(({ kind }) => kind === 'node_pruned')).toHaveLength(1);
  });

  it.each([
    ['rows', '[{"n":1},{"n":2}]', [{ n: 1 }, { n: 2 }]],
    ['no rows', '[]', []],
  ])('gives %s of a branch as one value', async (_, rows, expected) => {
    const { outputs } = await run(
      [
        'nodes:',
        '  I: TextInput',
        '  T: TypeConverterComponent',
        '  F: FirstAvailable',
        'edges:',
        '  I.text -> T.input_data',
        '  T.dataframe_output -> F.values',
        'config:',
        `  I.input_value: ${JSON.stringify(rows)}`,
      ].join('\n'),
    );
    expect(Object.entries(outputs).find(([id]) => id.startsWith('FirstAvailable'))?.[1]).toEqual({ value: expected });
  });

  it('runs the body of a loop once for each row', async () => {
    const spec = [
      'nodes:',
      '  I: TextInput',
      '  T: TypeConverterComponent',
      '  L: LoopComponent',
      '  P: ParserComponent',
      '  E: ParserComponent',
      '  O: ChatOutput',
      'edges:',
      '  I.text -> T.input_data',
      '  T.dataframe_output -> L.data',
      '  L.item -> P.input_data',
      '  P.parsed_text -> L.item',
      '  L.done -> E.input_data',
      '  E.parsed_text -> O.input_value',
      'config:',
      '  I.input_value: "[{\\"n\\":1},{\\"n\\":2}]"',
      '  P.pattern: "<{n}>"',
      '  E.pattern: "{text}"',
      '  E.sep: ""',
    ].join('\n');
    expect((await run(spec)).text).toBe('<1><2>');
  });
});

describe('files', () => {
  const read = (path: string, more = {}) =>
    run(`nodes:\n  F: File\n  O: ChatOutput\nedges:\n  F.message -> O.input_value\nconfig:\n  F.path: ${path}`, more);

  it('reads a file of the workspace', async () => {
    expect((await read('notes.md')).text).toBe('alpha beta\ngamma delta\n');
  });

  it.each(['../outside.txt', '/etc/passwd', 'docs/../../x', '.env'])('cannot read %s', async (path) => {
    const { status, failure } = await read(path);
    expect([status, failure?.node?.startsWith('File-')]).toEqual(['failed', true]);
    expect(failure?.message).not.toContain(dir);
  });

  it('says what to do where a run has no files', async () => {
    expect((await read('notes.md', { withoutFiles: true })).failure?.fix).toContain('--dir DIR');
  });

  it('reads nothing once the run is cancelled', async () => {
    const abort = new AbortController();
    abort.abort();
    expect((await read('notes.md', { signal: abort.signal })).status).toBe('cancelled');
  });

  it.each([
    ['txt', 'plain', 'plain'],
    ['json', '{"a":1}', '"{\\"a\\":1}"\n'],
    ['csv', 'a,"b"', 'text\r\n"a,""b"""\r\n'],
  ])('writes %s', async (format, text, content) => {
    const { text: said } = await single(
      'SaveToFile',
      'input',
      'message',
      [`file_name: out.${format}`, `local_format: ${format}`],
      text,
    );
    expect(said).toContain(`to 'out.${format}'`);
    expect(readFileSync(join(dir, `out.${format}`), 'utf8')).toBe(content);
  });

  it.each([
    ['json', '[\n  {\n    "a": 1\n  },\n  {\n    "a": 2\n  }\n]\n'],
    ['csv', 'a\r\n1\r\n2\r\n'],
    ['txt', '{"a":1}\n{"a":2}'],
  ])('writes rows as the ending of the file name says: %s', async (ending, content) => {
    const ran = await run(
      `nodes:\n  R: ReadData\n  W: SaveToFile\nedges:\n  R.dataframe -> W.input\nconfig:\n  R.source: Text\n  R.text: "[{\\"a\\":1},{\\"a\\":2}]"\n  W.file_name: rows.${ending}`,
    );
    expect(ran.failure).toBeUndefined();
    expect(readFileSync(join(dir, `rows.${ending}`), 'utf8')).toBe(content);
  });

  it('writes a text as it is, whatever the ending of the file name', async () => {
    await single('SaveToFile', 'input', 'message', ['file_name: text.json'], '{"a":1}');
    expect(readFileSync(join(dir, 'text.json'), 'utf8')).toBe('{"a":1}');
  });

  it('adds to the end of a file', async () => {
    const config = ['file_name: log.txt', 'append_mode: true'];
    await single('SaveToFile', 'input', 'message', config, 'a');
    await single('SaveToFile', 'input', 'message', config, 'b');
    expect(readFileSync(join(dir, 'log.txt'), 'utf8')).toBe('ab');
  });

  /** Adds a record to a file that a run before may have begun. */
  const add = (file: string, record: object, format = 'auto') =>
    run(
      `nodes:\n  R: Webhook\n  W: SaveToFile\nedges:\n  R.output_data -> W.input\nconfig:\n  R.data: ${JSON.stringify(record)}\n  W.file_name: ${file}\n  W.local_format: ${format}\n  W.append_mode: true`,
    );

  it.each([
    ['lines.jsonl', 'auto'],
    ['lines.json', 'auto'],
    ['lines.log', 'json'],
  ])('adds records as lines of JSON, also those with only a text: %s, %s', async (file, format) => {
    await add(file, { a: 1 }, format);
    await add(file, { text: 'b\nc' }, 'json');
    expect(readFileSync(join(dir, file), 'utf8')).toBe('{"a":1}\n{"text":"b\\nc"}\n');
  });

  it.each([
    ['new', undefined, 'a,b\r\n1,2\r\n,"x,;y"\r\n'],
    ['semicolons', 'b;a\n2;1', 'b;a\n2;1\n2;1\n"x,;y";\n'],
    ['windows', 'a,b\r\n2,1', 'a,b\r\n2,1\r\n1,2\r\n,"x,;y"\r\n'],
    ['quoted', '\uFEFF"a", b\n', '\uFEFF"a", b\n1,2\n,"x,;y"\n'],
    ['unnamed', 'b,,a\n5,6,7\n', 'b,,a\n5,6,7\n2,,1\n"x,;y",,\n'],
  ])('adds rows by the columns of the CSV file, with its header once: %s', async (name, before, after) => {
    const file = `${name}.csv`;
    if (before !== undefined) writeFileSync(join(dir, file), before);
    await add(file, { a: 1, b: 2 });
    await add(file, { b: 'x,;y' });
    expect(readFileSync(join(dir, file), 'utf8')).toBe(after);
  });

  it('reads back the rows that it added, with their last values as they were', async () => {
    writeFileSync(join(dir, 'rows.csv'), 'a,b\n1,2\n');
    await add('rows.csv', { a: 3, b: 'x, y' });
    await add('rows.csv', { a: 5, b: 6 });
    const { outputs } = await run('nodes:\n  R: ReadData\nconfig:\n  R.path: rows.csv');
    expect(Object.values(outputs)[0]?.['dataframe']).toEqual([
      { a: '1', b: '2' },
      { a: '3', b: 'x, y' },
      { a: '5', b: '6' },
    ]);
  });

  it('adds rows that it read from a CSV file with an unnamed column', async () => {
    writeFileSync(join(dir, 'index.csv'), ',a\n0,x\n');
    const { failure } = await add('index.csv', { column_1: 1, a: 'y' });
    expect([failure, readFileSync(join(dir, 'index.csv'), 'utf8')]).toEqual([undefined, ',a\n0,x\n1,y\n']);
  });

  it('begins a line of JSON of its own behind a line without its end', async () => {
    writeFileSync(join(dir, 'torn.jsonl'), '{"a":1}');
    await add('torn.jsonl', { a: 2 });
    expect(readFileSync(join(dir, 'torn.jsonl'), 'utf8')).toBe('{"a":1}\n{"a":2}\n');
  });

  it.each(['[{"a":1}]', '[\n  {"a":1}\n]\n', '{\n  "a": 1\n}\n'])(
    'adds no line to a file that is one JSON value: %j',
    async (before) => {
      writeFileSync(join(dir, 'whole.json'), before);
      const { failure } = await add('whole.json', { a: 2 });
      expect([failure?.message, readFileSync(join(dir, 'whole.json'), 'utf8')]).toEqual([
        expect.stringContaining("'whole.json' is one JSON value"),
        before,
      ]);
    },
  );

  it('writes the header once where many runs add rows to a new file at the same time', async () => {
    const ran = await Promise.all([...Array(20).keys()].map((a) => add('many.csv', { a })));
    expect(ran.map(({ failure }) => failure)).toEqual(ran.map(() => undefined));
    const lines = readFileSync(join(dir, 'many.csv'), 'utf8').split('\r\n');
    expect([lines[0], lines.length, new Set(lines).size]).toEqual(['a', 22, 22]);
  });

  it('adds no row with a value for which the CSV file has no column', async () => {
    await add('strict.csv', { a: 1 });
    const { failure } = await add('strict.csv', { a: 2, c: 3 });
    expect(failure).toMatchObject({
      message: expect.stringContaining("no column 'c'"),
      fix: expect.stringContaining('a'),
    });
    expect(readFileSync(join(dir, 'strict.csv'), 'utf8')).toBe('a\r\n1\r\n');
  });

  it('cannot write outside of the workspace', async () => {
    expect((await single('SaveToFile', 'input', 'message', ['file_name: ../escaped.txt'])).status).toBe('failed');
  });

  it('finds files by name and lines by expression', async () => {
    const rows = (type: string, pattern: string, format: string) =>
      run(
        `nodes:\n  G: ${type}\n  P: ParserComponent\n  O: ChatOutput\nedges:\n  G.dataframe -> P.input_data\n  P.parsed_text -> O.input_value\nconfig:\n  G.pattern: ${pattern}\n  P.pattern: "${format}"`,
      );
    expect((await rows('Glob', 'docs/*.md', '{path}')).text).toBe('docs/a.md');
    expect((await rows('Grep', 'find', '{path}:{line}')).text).toBe('docs/a.md:1');
  });
});

describe('tools', () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['-2 ** 2', -4],
    ['2 ** 3 ** 2', 512],
    ['(1 + 2) * .5', 1.5],
    ['10 / 4', 2.5],
  ])('computes %s', (expression, value) => {
    expect(evaluate(expression)).toBe(value);
  });

  it.each(['1 +', '1 / 0', 'process.exit()', '2 2', '(1', '9 ** 9 ** 9', '('.repeat(500), '1'.repeat(2_000)])(
    'refuses %j',
    (expression) => {
      expect(() => evaluate(expression)).toThrow();
    },
  );

  it('gives the error of a wrong expression as data', async () => {
    expect((await single('CalculatorComponent', 'expression', 'result', [], 'x')).text).toContain('"input": "x"');
  });

  it('shows the date in a time zone, and refuses an unknown one', async () => {
    const date = (zone: string) =>
      run(
        `nodes:\n  D: CurrentDate\n  O: ChatOutput\nedges:\n  D.current_date -> O.input_value\nconfig:\n  D.timezone: ${zone}`,
      );
    expect((await date('Europe/Vienna')).text).toMatch(
      /^Current date and time in Europe\/Vienna: 2026-03-01 13:00:00 /,
    );
    expect((await date('Mars/Base')).failure?.fix).toContain('IANA');
  });
});

it('finds no fault in a flow of built-in components', () => {
  const built = buildFromSpec(
    'nodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value',
    registry,
  );
  expect('flow' in built && validateFlow(built.flow, registry)).toEqual([]);
});

it('a text goes round a cycle through If-else, and changes in each round', async () => {
  for (const from of ['P.t', 'F.values']) {
    const lines = ['nodes:', '  I: TextInput', '  P: PromptTemplate', '  R: ConditionalRouter', '  O: ChatOutput'];
    const through = from === 'P.t' ? [] : ['  F.value -> P.t'];
    const { text } = await run(
      [
        ...lines,
        ...(from === 'P.t' ? [] : ['  F: FirstAvailable']),
        'edges:',
        `  I.text -> ${from}`,
        ...through,
        '  P.prompt -> R.input_text',
        `  R.false_result -> ${from}`,
        '  R.true_result -> O.input_value',
        'config:',
        '  I.input_value: x',
        '  P.template: "{t}+"',
        '  R.operator: ends with',
        '  R.match_text: "+++"',
      ].join('\n'),
    );
    expect(text).toBe('x+++');
  }
});

it('If-else decides about each row of a loop by its condition', async () => {
  const rows = Array.from({ length: 12 }, (_, at) => ({ text: `go ${at}` }));
  const { text } = await run(
    [
      'nodes:',
      '  I: TextInput',
      '  T: TypeConverterComponent',
      '  L: LoopComponent',
      '  P: ParserComponent',
      '  R: ConditionalRouter',
      '  O: ChatOutput',
      'edges:',
      '  I.text -> T.input_data',
      '  T.dataframe_output -> L.data',
      '  L.item -> P.input_data',
      '  P.parsed_text -> R.input_text',
      '  R.true_result -> L.item',
      '  L.done -> O.input_value',
      'config:',
      `  I.input_value: ${JSON.stringify(JSON.stringify(rows))}`,
      '  P.pattern: "{text}"',
      '  R.operator: contains',
      '  R.match_text: go',
    ].join('\n'),
  );
  expect(text).toBe(rows.map((row) => row.text).join('\n'));
});
