import { CircleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { type CodeProblem, type CodeView, createCodeView } from './code-view.ts';

/** An editor for code, with its problems at their lines and as a list. Loaded when a field needs it. */
export function CodeEditor({
  text,
  onText,
  onBlur,
  language,
  label,
  problems,
  isReadOnly,
  isTall = false,
}: {
  text: string;
  onText: (text: string) => void;
  onBlur: () => void;
  language: string | undefined;
  label: string;
  problems: readonly CodeProblem[];
  isReadOnly: boolean;
  isTall?: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<CodeView>(undefined);
  const latest = useRef({ text, onText, onBlur });
  latest.current = { text, onText, onBlur };
  useEffect(() => {
    if (!box.current) return undefined;
    const made = createCodeView({
      parent: box.current,
      text: latest.current.text,
      language,
      label,
      isReadOnly,
      onChange: (next) => latest.current.onText(next),
      onBlur: () => latest.current.onBlur(),
    });
    view.current = made;
    return () => {
      view.current = undefined;
      made.destroy();
    };
  }, [language, label, isReadOnly]);
  useEffect(() => view.current?.setText(text), [text]);
  // Other options make another editor.
  const marked = JSON.stringify([problems, language, label, isReadOnly]);
  useEffect(() => view.current?.setProblems((JSON.parse(marked) as [CodeProblem[]])[0]), [marked]);
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <div
        ref={box}
        className={`overflow-y-auto rounded-md border border-edge bg-surface ${isTall ? 'h-[60dvh]' : 'max-h-80 min-h-32'}`}
      />
      {problems.length > 0 && (
        <ul className="grid gap-1 text-sm text-bad">
          {problems.map(({ line, message }) => (
            <li key={`${line} ${message}`} className="flex items-start gap-1.5">
              <CircleAlert size={15} aria-hidden="true" className="mt-0.5 shrink-0" />
              <span className="min-w-0 [overflow-wrap:anywhere]">
                {line > 0 && (
                  <>
                    <button
                      type="button"
                      onClick={() => view.current?.goTo(line)}
                      className="rounded-sm font-medium underline underline-offset-2"
                    >
                      Line {line}
                    </button>
                    {': '}
                  </>
                )}
                {message}
              </span>
            </li>
          ))}
        </ul>
      )}
      {!isReadOnly && <p className="text-xs text-soft">Tab indents. Escape, then Tab leaves the editor.</p>}
    </div>
  );
}
