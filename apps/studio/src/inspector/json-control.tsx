import type { Json } from '@croft/flow';
import { useState } from 'react';
import { CodeControl } from './code-control.tsx';
import type { CodeProblem } from './code-view.ts';
import { readJson } from './read-json.ts';
import type { ValueControl } from './text-control.tsx';

interface WrongText {
  readonly text: string;
  readonly problem: CodeProblem;
  /** The valid text of the value below it. */
  readonly before: string;
}

/** Texts with an error by their place, for a control that goes away and comes back. They end with the tab. */
const wrongTexts = new Map<string, WrongText>();

/**
 * Any value as JSON. A text with an error is kept and is not part of the flow until it is corrected, or the value changes by other
 * means, such as a reset or undo. It stays while other components are selected.
 */
export function JsonControl({
  value,
  onValue,
  disabled,
  label,
  place,
}: Omit<ValueControl<Json>, 'control'> & { label: string; place: string }) {
  const [wrong, setWrong] = useState(() => wrongTexts.get(place));
  const valid = value === null ? '' : JSON.stringify(value, null, 2);
  if (wrong && wrong.before !== valid) keep(undefined);
  function keep(next: WrongText | undefined) {
    if (next) wrongTexts.set(place, next);
    else wrongTexts.delete(place);
    setWrong(next);
  }
  function read(text: string) {
    const result = readJson(text);
    if ('value' in result) {
      keep(undefined);
      onValue(result.value);
    } else {
      const message = `${result.problem} The flow keeps the value from before.`;
      keep({ text, problem: { line: result.line, message }, before: valid });
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
