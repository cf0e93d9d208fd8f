import { describe, expect, it } from 'vitest';
import { portsOf, runSpec, textsOf } from '../testing.ts';
import { Switch } from './switch.ts';

describe('Switch', () => {
  const route = (text: string, cases: readonly string[] = ['alpha', 'beta']) =>
    runSpec([
      'nodes:',
      '  I: TextInput',
      '  S: Switch',
      '  A: TextOutput',
      '  B: TextOutput',
      '  D: TextOutput',
      'config:',
      `  I.input_value: ${text}`,
      `  S.cases: ${JSON.stringify(cases.map((match_text) => ({ match_text })))}`,
      'edges:',
      '  I.text -> S.input_value',
      '  S.case_1_result -> A.input_value',
      '  S.case_2_result -> B.input_value',
      '  S.default_result -> D.input_value',
    ]);
  const taken = async (text: string) => (await route(text)).events.filter(({ kind }) => kind === 'node_pruned').length;

  it('takes the first case that fits, else the default', async () => {
    expect((await route('Beta')).text).toBe('Beta');
    expect(await taken('Beta')).toBe(2);
    expect((await route('gamma')).text).toBe('gamma');
    expect(await taken('gamma')).toBe(2);
  });

  it('compares another text where one is given, and case where that is asked', () => {
    const run = (more: object) =>
      Object.keys(
        Object.assign(
          new Switch(),
          { input_value: 'Beta', operator: 'equals', cases: [{ match_text: 'alpha' }, { match_text: 'beta' }] },
          more,
        ).run(),
      );
    expect(run({})).toEqual(['case_2_result']);
    expect(run({ case_sensitive: true })).toEqual(['default_result']);
    expect(run({ input_text: 'ALPHA' })).toEqual(['case_1_result']);
    expect(run({ operator: 'not equals' })).toEqual(['case_1_result']);
    expect(run({ cases: undefined })).toEqual(['default_result']);
  });

  it('fails where a text is compared with a number', () => {
    const taken = (input_value: string) =>
      Object.keys(
        Object.assign(new Switch(), { input_value, operator: 'less than', cases: [{ match_text: '100' }] }).run(),
      );
    expect(() => taken('9 kg')).toThrow("'9 kg' is not a number to compare with 100.");
    expect([taken(''), taken('9')]).toEqual([['default_result'], ['case_1_result']]);
  });

  it('fails at an empty case where every text would meet it', () => {
    const taken = (operator: string, input_value = 'x') =>
      Object.keys(
        Object.assign(new Switch(), { input_value, operator, cases: [{ match_text: 'a' }, { match_text: '' }] }).run(),
      );
    for (const operator of ['contains', 'not contains', 'starts with', 'ends with', 'greater than', 'less than'])
      expect(() => taken(operator), operator).toThrow('Case 2 is empty. Enter the text to compare with, or remove it.');
    expect(taken('equals')).toEqual(['default_result']);
    expect(taken('equals', '')).toEqual(['case_2_result']);
    expect(taken('is not empty')).toEqual(['case_1_result']);
  });

  it('has only the outputs of its cases', async () => {
    await expect(route('x', ['alpha'])).rejects.toThrow('case_2_result');
  });
});

it('has ports that stored flows name', () => {
  expect(portsOf(new Switch())).toEqual([
    'input_value: handle Message Data Table File Any required',
    'input_text: text Message default=""',
    'operator: select default="equals" of equals|not equals|contains|not contains|starts with|ends with|greater than|less than|greater than or equal|less than or equal|is empty|is not empty',
    'case_sensitive: switch advanced default=false',
    'cases: table columns=[{"name":"match_text","label":"Compared with","kind":"text"}] required',
    'case_{n}_result: gives Message Data Table File Any branch each="cases"',
    'default_result: gives Message Data Table File Any branch',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(new Switch())).toEqual([
    'Switch (list-tree): Sends a value to the branch of the first case that its text meets, else to "Otherwise".',
    '',
    'input_value: Value',
    'input_text: Text to compare | Empty: the text of the value.',
    'operator: Condition',
    'case_sensitive: Upper and lower case differ',
    'cases: Cases | Each case has an output: case_1_result, case_2_result and so on.',
    'case_{n}_result: Case {n}',
    'default_result: Otherwise',
  ]);
});
