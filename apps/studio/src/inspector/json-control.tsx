import type { Json } from '@croft/flow';
import { useState } from 'react';
import { CodeControl } from './code-control.tsx';
import type { CodeProblem } from './code-view.ts';
import { readJson } from './read-json.ts';
import type { ValueControl } from './text-control.tsx';

/** Any value as JSON. A text with an error is kept and is not part of the flow until it is corrected. */
export function JsonControl({
  value,
  onValue,
  disabled,
  label,
}: Omit<ValueControl<Json>, 'control'> & { label: string }) {
  const [wrong, setWrong] = useState<{ readonly text: string; readonly problem: CodeProblem }>();
  function read(text: string) {
    const result = readJson(text);
    if ('value' in result) {
      setWrong(undefined);
      onValue(result.value);
    } else {
      const message = `${result.problem} The flow keeps the value from before.`;
      setWrong({ text, problem: { line: result.line, message } });
    }
  }
  return (
    <CodeControl
      value={wrong?.text ?? (value === null ? '' : JSON.stringify(value, null, 2))}
      onValue={read}
      disabled={disabled}
      label={label}
      language="json"
      problems={wrong ? [wrong.problem] : []}
    />
  );
}
