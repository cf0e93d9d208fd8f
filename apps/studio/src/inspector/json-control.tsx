import type { Json } from '@croft/flow';
import { useState } from 'react';
import { CodeControl } from './code-control.tsx';
import type { CodeProblem } from './code-view.ts';
import { readJson } from './read-json.ts';
import type { ValueControl } from './text-control.tsx';

/**
 * Any value as JSON. A text with an error is kept and is not part of the flow until it is corrected, or the value changes by other
 * means, such as a reset or undo.
 */
export function JsonControl({
  value,
  onValue,
  disabled,
  label,
}: Omit<ValueControl<Json>, 'control'> & { label: string }) {
  const [wrong, setWrong] = useState<{
    readonly text: string;
    readonly problem: CodeProblem;
    readonly before: string;
  }>();
  const valid = value === null ? '' : JSON.stringify(value, null, 2);
  if (wrong && wrong.before !== valid) setWrong(undefined);
  function read(text: string) {
    const result = readJson(text);
    if ('value' in result) {
      setWrong(undefined);
      onValue(result.value);
    } else {
      const message = `${result.problem} The flow keeps the value from before.`;
      setWrong({ text, problem: { line: result.line, message }, before: valid });
    }
  }
  return (
    <CodeControl
      value={wrong?.text ?? valid}
      onValue={read}
      disabled={disabled}
      label={label}
      language="json"
      problems={wrong ? [wrong.problem] : []}
    />
  );
}
