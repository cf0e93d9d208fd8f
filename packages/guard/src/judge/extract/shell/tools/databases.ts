import type { Call, Handler } from '../call.ts';
import { ANY, field } from '../marks.ts';
import { parseOptions } from '../options.ts';

/** Database shells: their own commands write files and run programs. */
export const DATABASE_HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...['sqlite3', 'sqlite', 'duckdb', 'litecli'].map((name): [string, Handler] => [name, runSqlite]),
  ...['psql', 'pgcli'].map((name): [string, Handler] => [name, runPsql]),
  ...['mysql', 'mariadb', 'mycli'].map((name): [string, Handler] => [name, runMysql]),
  ...[
    'pg_dump',
    'pg_dumpall',
    'pg_restore',
    'pg_basebackup',
    'mysqldump',
    'mongodump',
    'mongoexport',
    'initdb',
    'redis-cli',
  ].map((name): [string, Handler] => [name, dump]),
]);

function runSqlite({ args, state, input, reader }: Call): undefined {
  const { operands, values, has } = parseOptions(args, {
    values: '-cmd -init -separator -newline -nullvalue -mmap -vfs -c -s',
    singleDash: true,
  });
  const [file, ...texts] = operands;
  const isReadOnly = has('-readonly', '--readonly', '-version', '--version', '-help');
  if (file !== undefined && file.value !== ':memory:' && !/^file:.*mode=ro/.test(file.value)) {
    if (isReadOnly) reader.read(state, file);
    else reader.write(state, { value: file.value.replace(/^file:(?:\/\/)?([^?]*).*$/s, '$1'), written: file.written });
  }
  for (const script of values('-init')) {
    reader.read(state, script);
    reader.undecidable('sqlite3 runs a script.');
  }
  for (const text of [...texts, ...values('-cmd', '-c', '-s')]) readSqlite(text.value, state, reader);
  for (const text of input ?? []) readSqlite(text, state, reader);
}

function readSqlite(text: string, state: Call['state'], reader: Call['reader']): void {
  if (text.includes(ANY)) reader.undecidable('The commands of a database shell are not known.');
  for (const line of text.split('\n')) {
    const match = /^\s*\.(\w+)\s*(.*)$/.exec(line);
    if (match === null) continue;
    const [, name = '', rest = ''] = match;
    const words = [...rest.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
    const last = words.at(-1);
    if (
      /^(?:o(?:u\w*)?|once|e(?:xcel)?|log|trace|backup|save|clone|open|cd|archive|ar|w\w*)$/.test(name) &&
      last !== undefined &&
      !/^(?:stdout|stderr|off|on|-e|-x)$/.test(last)
    ) {
      if (last.startsWith('|')) reader.runText([rest.slice(rest.indexOf('|') + 1)], state.copy());
      else reader.write(state, field(last));
    } else if (/^(?:sh\w*|sy\w*)$/.test(name) && name !== 'show') reader.runText([rest], state.copy());
    else if (/^im\w*$/.test(name)) {
      const piped = words.find((word) => word.startsWith('|'));
      if (piped !== undefined) reader.runText([piped.slice(1)], state.copy());
    } else if (/^(?:load|read)$/.test(name) && last !== undefined) {
      if (last.startsWith('|')) reader.runText([rest.slice(rest.indexOf('|') + 1)], state.copy());
      else reader.undecidable(`'.${name}' runs the content of a file.`);
    }
  }
  for (const [, path = ''] of text.matchAll(
    /\b(?:attach\s+(?:database\s+)?|vacuum\s+(?:[\w."]+\s+)?into\s+|writefile\s*\(\s*|copy\b[^;]*\bto\s+|export\s+database\s+|load_extension\s*\(\s*|install\s+)'([^']+)'/gi,
  ))
    reader.write(state, field(path));
  if (/\b(?:writefile|load_extension|edit)\s*\((?!\s*'[^']*'\s*[,)])/i.test(text))
    reader.undecidable('A database function writes to an unknown file.');
}

function runPsql({ args, state, input, reader }: Call): undefined {
  const { values } = parseOptions(args, {
    values:
      '-c -d -f -h -L -o -p -U -v -F -P -R -T --command --dbname --file --host --log-file --output --port --username --set --variable --field-separator --pset',
  });
  for (const file of values('-o', '--output', '-L', '--log-file')) {
    if (file.value.startsWith('|')) reader.runText([file.value.slice(1)], state.copy());
    else reader.write(state, file);
  }
  for (const file of values('-f', '--file')) reader.read(state, file);
  for (const text of [...values('-c', '--command').map((one) => one.value), ...(input ?? [])])
    readPsql(text, state, reader);
}

function readPsql(text: string, state: Call['state'], reader: Call['reader']): void {
  if (text.includes(ANY)) reader.undecidable('The commands of a database shell are not known.');
  for (const [, name = '', rest = ''] of text.matchAll(
    /\\(copy|out|o|gx|g|write|w|s|cd|lo_export|!|edit|e)(?![a-z_])\s*([^\n\\]*)/gi,
  )) {
    const lower = name.toLowerCase();
    if (name === '!') reader.runText([rest], state.copy());
    else if (lower === 'copy') {
      const to = /\bto\s+(program\s+)?(?:'([^']*)'|(\S+))/i.exec(rest);
      const target = to?.[2] ?? to?.[3];
      if (to?.[1] !== undefined && target !== undefined) reader.runText([target], state.copy());
      else if (target !== undefined && !/^(?:stdout|pstdout)$/i.test(target)) reader.write(state, field(target));
      const from = /\bfrom\s+program\s+'([^']*)'/i.exec(rest);
      if (from?.[1] !== undefined) reader.runText([from[1]], state.copy());
    } else {
      const target = (lower === 'lo_export' ? rest.split(/\s+/)[1] : rest.trim().replace(/^['"]|['"]$/g, '')) ?? '';
      if (target.startsWith('|')) reader.runText([target.slice(1)], state.copy());
      else if (target !== '' && target !== ';') reader.write(state, field(target));
    }
  }
  if (/\bcopy\b[^;]*\b(?:to|from)\s+program\b/i.test(text.replace(/\\copy[^\n]*/gi, '')))
    reader.undecidable('The database server runs a program.');
  for (const [, path = ''] of text.replace(/\\copy[^\n]*/gi, '').matchAll(/\bcopy\b[^;]*\bto\s+'([^']+)'/gi))
    reader.write(state, field(path));
}

function runMysql({ args, state, input, reader }: Call): undefined {
  const { values } = parseOptions(args, {
    values: '-e -h -u -P -D -S --execute --tee --host --user --port --database --pager --init-command --socket',
  });
  for (const file of values('--tee')) reader.write(state, file);
  for (const text of values('--pager')) reader.runText([text.value], state.copy());
  for (const text of [...values('-e', '--execute', '--init-command').map((one) => one.value), ...(input ?? [])]) {
    if (text.includes(ANY)) reader.undecidable('The commands of a database shell are not known.');
    for (const [, path = ''] of text.matchAll(/\binto\s+(?:outfile|dumpfile)\s+['"]([^'"]+)['"]/gi))
      reader.write(state, field(path));
    for (const [, , rest = ''] of text.matchAll(/(?:^|\n|;)\s*(\\!|system)\s+([^\n;]*)/g))
      reader.runText([rest], state.copy());
    for (const [, path = ''] of text.matchAll(/(?:^|\n|;)\s*(?:tee|\\T)\s+([^\n;]+)/g))
      reader.write(state, field(path.trim()));
  }
}

function dump({ args, state, reader, name }: Call): undefined {
  const { values } = parseOptions(args, {
    values: '-f -D -r -o -d -h -p -U --file --pgdata --result-file --out --tab -T --rdb',
  });
  const outputs: Readonly<Record<string, readonly string[]>> = {
    mysqldump: ['-r', '--result-file', '--tab', '-T'],
    mongodump: ['-o', '--out'],
    mongoexport: ['-o', '--out'],
    'redis-cli': ['--rdb'],
  };
  for (const file of values(...(outputs[name] ?? ['-f', '--file', '-D', '--pgdata']))) reader.write(state, file);
  if (name === 'redis-cli' && /config\s+set\s+dir|\bsave\b/i.test(args.map((arg) => arg.value).join(' ')))
    reader.undecidable('A command decides where the database server writes.');
}
