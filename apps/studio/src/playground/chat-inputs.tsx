import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { RunFields, type RunInputs } from '../canvas/run-form.tsx';
import { fieldKey, type RunField } from '../canvas/run-fields.ts';

/** The inputs of a flow besides the message. Open at first where one of them has no value; then the user opens and closes it. */
export function ChatInputs({ fields, values, onValues }: RunInputs) {
  const isMissing = (each: RunField) => {
    const value = values[fieldKey(each)] ?? each.value;
    return each.field.required === true && (value === null || value === '');
  };
  const missing = fields.filter(isMissing).length;
  const [isOpen, setIsOpen] = useState(missing > 0);
  return (
    <details
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
      className="group rounded-md border border-line bg-surface"
    >
      <summary className="flex min-h-9 items-center gap-1.5 rounded-md px-3 text-sm font-medium">
        <ChevronRight size={15} aria-hidden="true" className="transition-transform group-open:rotate-90" />
        Other inputs
        {missing > 0 && (
          <span className="font-normal text-warn">{missing === 1 ? '1 is empty' : `${missing} are empty`}</span>
        )}
      </summary>
      <div className="grid max-h-[30dvh] grid-cols-1 gap-3 overflow-y-auto p-3 pt-1">
        <RunFields fields={fields} values={values} onValues={onValues} />
      </div>
    </details>
  );
}
