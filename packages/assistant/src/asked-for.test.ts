import { expect, it } from 'vitest';
import { askedFor, askedOffline, filesToChange, namesFile, wordsOf } from './asked-for.ts';

it.each([
  ['question', 'edit', ''],
  ['off_topic', 'unknown', ''],
  ['build_flow', 'new', 'change write run'],
  ['build_flow', 'read', ''],
  ['build_flow', 'unknown', 'change write run'],
  ['manage_files', 'read', 'write'],
  ['run_flow', 'read', 'run runWrites'],
  ['run_flow', 'edit', 'change write run runWrites'],
  ['manage_files', 'unknown', 'write'],
] as const)('a message of the kind %s with the scope %s asks for: %s', (intent, scope, asked) => {
  const given = Object.entries(askedFor({ intent, scope }, 'a message')).filter(([, isAsked]) => isAsked);
  expect(given.map(([name]) => name).join(' ')).toBe(asked);
});

it.each([
  ['Add a step that sorts the rows', ''],
  ['Build a flow that counts the words of notes.md', ''],
  ['Connect the chat input to the prompt', ''],
  ['Build a word counter, then run it', 'runWrites'],
  ['Füge einen Schritt hinzu und teste ihn\nAdd a step and test it', 'runWrites'],
  ['Remove the sort step', 'remove'],
  ['Take the sort step out', 'remove'],
  ['Sort by name instead', 'remove'],
  ['Undo that', 'remove'],
  ['Replace the prompt and run the flow again', 'remove runWrites'],
])('the words “%s” ask for: %s', (words, asked) => {
  const { remove, runWrites } = askedFor({ intent: 'build_flow', scope: 'edit' }, words);
  expect([...(remove ? ['remove'] : []), ...(runWrites ? ['runWrites'] : [])].join(' ')).toBe(asked);
});

it.each([
  ['Overwrite payroll.csv', 'payroll.csv', true],
  ['Overwrite “Payroll.csv”.', './payroll.csv', true],
  ['Write it to out/summary.md, please', 'out/summary.md', true],
  ['Write it to summary.md', 'out/summary.md', true],
  ['Fix my notes 1.md', 'my notes 1.md', true],
  ['Summarise notes.md', 'payroll.csv', false],
  ['Read old/payroll.csv', 'payroll.csv', false],
  ['Read old-payroll.csv and payroll.csv.bak', 'payroll.csv', false],
  ['Overwrite payroll.csv~', 'payroll.csv', false],
  ['Overwrite payroll.csv (copy)', 'payroll.csv', false],
  ['Overwrite payroll.csv (2)', 'payroll.csv', false],
  ['Overwrite payroll.csv (the copy)', 'payroll.csv', true],
  ['Fix my notes', 'notes.md', false],
  ['anything', '', false],
])('the message “%s” names %s: %s', (text, path, isNamed) => {
  expect(namesFile(text, path)).toBe(isNamed);
});

it('takes the words of a request from its user, and a plan only when the user approved it', () => {
  const history = [{ user: 'Write a.md', assistant: 'Shall I delete b.md?' }];
  const words = (continues: 'plan' | undefined, intent: 'build_flow' | 'manage_files') =>
    wordsOf({ message: 'm', continues, plan: 'a plan', history }, { intent, translation: 't' });
  expect(words(undefined, 'build_flow')).toBe('m\nt');
  expect(words(undefined, 'manage_files')).toBe('m\nt\nWrite a.md');
  expect(words('plan', 'build_flow')).toBe('m\nt\nWrite a.md\na plan');
});

const EARLIER = ['Write the list to list.md', 'Summarise letter.md'];

it.each([
  ['manage_files', 'Read notes.md and save a summary to out.md', 'notes.md', false],
  ['manage_files', 'Read notes.md and save a summary to out.md', 'out.md', true],
  ['manage_files', 'Fix the typo in notes.md', 'notes.md', true],
  ['manage_files', 'Add a line to notes.md', 'notes.md', true],
  ['manage_files', 'Save that as out.md', 'letter.md', false],
  ['manage_files', 'Save that as out.md', 'list.md', true],
  ['manage_files', 'Fix the typo in it', 'letter.md', true],
  ['manage_files', 'Fass notes.md in out.md zusammen', 'notes.md', true],
  ['build_flow', 'Build a flow that counts the words of notes.md', 'notes.md', false],
  ['build_flow', 'Build a flow that saves a date to notes.md', 'notes.md', true],
  ['build_flow', 'Replace a with b in notes.md', 'notes.md', true],
  ['manage_files', 'Save a summary to out.md. Do not write to notes.md', 'notes.md', false],
  ['manage_files', 'Save a summary to out.md. Do not write to notes.md', 'out.md', false],
  ['manage_files', 'Fix all files except notes.md', 'notes.md', false],
  ['manage_files', 'Fix out.md but not notes.md', 'notes.md', false],
  ['manage_files', 'Fix out.md but not notes.md', 'out.md', false],
  ['manage_files', 'Show me the settings stored in notes.md', 'notes.md', true],
  ['build_flow', 'Build a flow that counts the orders stored in notes.md', 'notes.md', false],
  ['build_flow', 'Build a flow whose result is saved to notes.md', 'notes.md', true],
  ['manage_files', 'Fix out.md. notes.md must not change', 'notes.md', false],
  ['manage_files', 'Fix it, but do not change list.md', 'list.md', false],
  ['manage_files', 'Save what is not in notes.md to out.md', 'notes.md', false],
  ['manage_files', 'Save it to out.md.bak', 'out.md', false],
  ['manage_files', 'Save it to out.md.1', 'out.md', false],
  ['manage_files', 'Save it to old.out.md', 'out.md', false],
] as const)('a message of the kind %s, “%s”, names %s for a change: %s', (intent, message, path, isNamed) => {
  const history = EARLIER.map((user) => ({ user, assistant: '' }));
  const named = filesToChange({ message, continues: undefined, plan: undefined, history }, { intent, translation: '' });
  expect(namesFile(named, path)).toBe(isNamed);
});

it('reads which files are written in the translation of a message', () => {
  const message = 'Fass notes.md in out.md zusammen';
  const translation = 'Summarise notes.md and write it to out.md';
  const turn = { message, continues: undefined, plan: undefined, history: [] };
  expect(filesToChange(turn, { intent: 'manage_files', translation }).trim()).toBe('out.md');
});

it.each([
  ['Summarise notes.md', [], 'notes.md', false],
  ['Resume notes.md', ['notes.md'], 'notes.md', true],
  ['Traduce notes.md y list.md', ['list.md'], 'notes.md', false],
  ['Traduce notes.md y list.md', ['list.md'], 'list.md', true],
  ['Summarise notes.md', ['other.md'], 'other.md', false],
  ['Fix the typo in it', ['letter.md'], 'letter.md', true],
  ['Thanks, now read it aloud', [], 'letter.md', false],
  ['Thanks, now read it aloud', [], 'list.md', false],
] as const)(
  '“%s” with the files to write %j, as a model understood it, names %s: %s',
  (message, writes, path, isNamed) => {
    const history = EARLIER.map((user) => ({ user, assistant: '' }));
    const turn = { message, continues: undefined, plan: undefined, history };
    const named = filesToChange(turn, { intent: 'manage_files', translation: '', writes });
    expect(namesFile(named, path)).toBe(isNamed);
  },
);

it('takes the files of an approved plan, also those that the message does not name', () => {
  const turn = { message: 'Yes', continues: 'plan', plan: 'Tidy notes.md', history: [] } as const;
  const named = filesToChange(turn, { intent: 'manage_files', translation: '', writes: [] });
  expect(namesFile(named, 'notes.md')).toBe(true);
});

it.each([
  ['My ideas are saved in notes.md. Please fix the typos in todo.md', ['todo.md'], 'todo.md'],
  ['What did I write in notes.md?', [], ''],
  ['Show me the settings stored in notes.md', [], ''],
  ['Read notes.md and save a summary to out.md', ['notes.md', 'out.md'], 'out.md'],
  ['Save a summary to out.md', ['other.md', 'out.md'], 'out.md'],
  ['Save a summary as notes.md, but do not overwrite it if it exists', ['notes.md'], ''],
  ['Korrigiere alle Dateien, aber nicht notes.md', ['notes.md', 'out.md'], ''],
])('“%s” with the files to write %j names: %s', (message, writes, named) => {
  const turn = { message, continues: undefined, plan: undefined, history: [] };
  const translation = /nicht/.test(message) ? 'Fix all files but not notes.md' : '';
  expect(filesToChange(turn, { intent: 'manage_files', translation, writes })).toBe(named);
});

it('takes only plain orders to croft/offline for requests to write and to run', () => {
  expect(askedOffline('run it')).toEqual({ change: true, remove: true, write: true, run: true, runWrites: true });
  const none = { change: true, remove: false, write: false, run: false, runWrites: false };
  expect(askedOffline('how do I run it?')).toEqual(none);
  expect(askedOffline('x'.repeat(2_001))).toEqual(none);
  expect(askedOffline('replace `a` with `b` in a.md, but ask me first')).toMatchObject({ write: false, remove: true });
  expect(askedOffline('run the flow tomorrow')).toMatchObject({ run: false, runWrites: false });
  expect(askedOffline('I can undo that')).toMatchObject({ remove: false });
  expect(askedOffline('read in.md, but do not save it to a.md, then run it')).toMatchObject({ run: true });
  expect(askedOffline('do not run it before I say so. Then run it')).toMatchObject({ run: false, runWrites: false });
});
