import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ["sqlite3 a.db 'select 1'", 'a.db'],
  ['sqlite3 :memory: ".output x"', 'x'],
  ["sqlite3 a.db '.shell touch y'", 'a.db y'],
  ["sqlite3 a.db '.output |tee z'", 'a.db z'],
  [`sqlite3 a.db ".import '|touch q' t"`, 'a.db q'],
  ["sqlite3 a.db '.read x.sql'", 'a.db ?'],
  [`sqlite3 a.db "attach 'b.db' as b"`, 'a.db b.db'],
  [`sqlite3 a.db "select writefile('w', 1)"`, 'a.db w'],
  ['sqlite3 a.db "select writefile(name, 1) from t"', 'a.db ?'],
  ['sqlite3 -init s.sql a.db', 'a.db ?'],
  ["echo '.backup c.db' | sqlite3 a.db", 'a.db c.db'],
  [String.raw`psql -c '\copy t to out.csv'`, 'out.csv'],
  [String.raw`psql -c "\copy t to program 'touch y'"`, 'y'],
  [String.raw`psql -c '\! touch z'`, 'z'],
  ["psql -o out.txt -c 'select 1'", 'out.txt'],
  ["psql -o '|tee x' -c 'select 1'", 'x'],
  [`psql -c "copy t to '/tmp/x'"`, '/tmp/x'],
  [String.raw`psql -c '\o res.txt'`, 'res.txt'],
  [`mysql -e "select 1 into outfile '/tmp/x'"`, '/tmp/x'],
  ["mysql --tee=log -e 'select 1'", 'log'],
  ["mysql --pager='tee y' -e 'select 1'", 'y'],
  ["mysql -e 'system touch z'", 'z'],
  ['pg_dump -f out.sql db', 'out.sql'],
  ['mysqldump -r out.sql db', 'out.sql'],
  ['mongodump --out dump', 'dump'],
  ['redis-cli --rdb dump.rdb', 'dump.rdb'],
])('database shells: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  "sqlite3 -readonly a.db 'select 1'",
  "sqlite3 file:a.db?mode=ro 'select 1'",
  "psql -c 'select 1'",
  "mysql -e 'select 1'",
  'redis-cli get x',
])('database shells: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each([`psql -c "copy t to program 'x'"`, 'redis-cli config set dir /x'])(
  'database shells: cannot tell what is written by %s',
  (command) => {
    expect(effects(command)).toBe('?');
  },
);
