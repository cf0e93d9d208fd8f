import { describe, expect, it } from 'vitest';
import { calculator as calculatorComponent } from '../editable/builtins.ts';
import { callOf } from '../testing.ts';
import { currentDate } from '../tools/current-date.ts';
import { builtinToolNames, builtinTools } from './agent-tools.ts';

const { signal } = new AbortController();
const tools = (inputs: object) => builtinTools(callOf({ ...inputs }));
const BOTH = { add_calculator_tool: true, add_current_date_tool: true };

describe('the tools of an agent', () => {
  it('are those that its fields switch on', () => {
    const names = (inputs: object) => tools(inputs).map(({ name }) => name);
    expect(names(BOTH)).toEqual(['evaluate_expression', 'get_current_date']);
    expect(names({ ...BOTH, add_calculator_tool: false })).toEqual(['get_current_date']);
    expect(names({ add_calculator_tool: true })).toEqual(['evaluate_expression']);
    expect(names({})).toEqual([]);
  });

  it('calculate and give the date', async () => {
    const [calculator, date] = tools(BOTH);
    expect(await calculator?.call({ expression: '6 * 7' }, signal)).toBe('42');
    expect(await date?.call({}, signal)).toBe('Current date and time in UTC: 2026-03-01 12:00:00 UTC');
    expect(await date?.call({ timezone: 'Europe/Vienna' }, signal)).toContain('2026-03-01 13:00:00');
    const takes = (properties: object, required: readonly string[]) => ({
      type: 'object',
      properties,
      required,
      additionalProperties: false,
    });
    expect(tools(BOTH)).toEqual([
      {
        name: 'evaluate_expression',
        description: calculatorComponent.descriptor.description,
        parameters: takes({ expression: { type: 'string', description: 'The arithmetic expression.' } }, [
          'expression',
        ]),
        readOnly: true,
        call: expect.any(Function),
      },
      {
        name: 'get_current_date',
        description: currentDate.descriptor.description,
        parameters: takes({ timezone: { type: 'string', description: 'IANA name, such as Europe/Vienna.' } }, []),
        readOnly: true,
        call: expect.any(Function),
      },
    ]);
  });
});

it('names for a person what an agent offers', () => {
  const names = (type: string, values: object) => builtinToolNames({ type, values: { ...values } });
  expect(names('Agent', {})).toEqual(['calculator', 'date']);
  expect(names('Agent', { add_calculator_tool: false })).toEqual(['date']);
  expect(names('Agent', { add_current_date_tool: false, add_calculator_tool: true })).toEqual(['calculator']);
  expect(names('Other', {})).toEqual([]);
});
