import { describe, expect, it } from 'vitest';
import { readIntent } from './intent.ts';

const read = (text: string) => {
  const { intent, scope, mustAct } = readIntent(text);
  return `${intent} ${scope} ${mustAct}`;
};

describe('the answer of a classification', () => {
  it.each([
    ['{"translation": "x", "intent": "build_flow", "scope": "edit"}', 'build_flow edit true'],
    ['```json\n{"intent": "run_flow", "scope": "read"}\n```', 'run_flow read true'],
    ['Sure! {"intent": "manage_files", "scope": "read"} Bye.', 'manage_files read true'],
    ['{"intent": "build_flow", "scope": "read"}', 'build_flow read false'],
    ['{"intent": "question", "scope": "new"}', 'question new false'],
    ['{"intent": "off_topic"}', 'off_topic unknown false'],
    ['{"intent": "build_flow", "scope": "all"}', 'build_flow unknown true'],
    ['It is "generate_component", I think', 'generate_component unknown true'],
    ['{"intent": "delete_everything"}', 'question unknown false'],
    ['{"a": 1} then {"intent": "run_flow"}', 'run_flow unknown true'],
    ['', 'question unknown false'],
  ])('is read from %j', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it('has the files to write, where the model gave them as a list', () => {
    expect(readIntent('{"intent":"manage_files","writes":["a.md",7]}').writes).toEqual(['a.md']);
    expect(readIntent('{"intent":"manage_files","writes":[]}').writes).toEqual([]);
    expect(readIntent('{"intent":"manage_files","writes":"a.md"}').writes).toBeUndefined();
    expect(readIntent('It is "build_flow"').writes).toBeUndefined();
  });

  it('has the message in English, where the model gave it', () => {
    expect(readIntent('{"intent":"question","translation":"Hello"}').translation).toBe('Hello');
    expect(readIntent('{"intent":"question","translation":7}').translation).toBe('');
  });
});
