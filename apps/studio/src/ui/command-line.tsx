import { useRef } from 'react';
import type { ButtonLook } from './button.tsx';
import { CopyButton } from './copy-button.tsx';

/** A command to run in a terminal, with a button that copies it. `fresh` is asked before copying, when the text may be stale. */
export function CommandLine({
  command,
  label,
  fresh,
  look = 'primary',
}: {
  command: string;
  label: string;
  fresh?: () => Promise<string>;
  look?: ButtonLook;
}) {
  const ref = useRef<HTMLElement>(null);
  function select() {
    const range = document.createRange();
    if (!ref.current) return;
    range.selectNodeContents(ref.current);
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(range);
  }
  return (
    <div className="flex items-start gap-2 max-sm:flex-col max-sm:items-stretch">
      <pre
        aria-label={label}
        role="group"
        className="flex min-w-0 grow items-center rounded-md border border-line bg-sunken px-3 py-2 font-mono text-sm whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        <code ref={ref}>
          <span aria-hidden="true" className="text-soft select-none">
            ${' '}
          </span>
          {command}
        </code>
      </pre>
      <CopyButton text={fresh ?? command} look={look} onRefused={select} />
    </div>
  );
}
