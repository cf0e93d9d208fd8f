import { CircleAlert, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { typeSupport } from '../code-types/type-support.ts';
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
  checksTypes = false,
  isFirst = false,
}: {
  text: string;
  onText: (text: string) => void;
  onBlur: () => void;
  language: string | undefined;
  label: string;
  problems: readonly CodeProblem[];
  isReadOnly: boolean;
  isTall?: boolean;
  /** For the code of a component. Findings of types are warnings: the code can be saved and run. */
  checksTypes?: boolean;
  /** Takes the focus in the dialog around it, as soon as it is loaded. */
  isFirst?: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<CodeView>(undefined);
  const latest = useRef({ text, onText, onBlur });
  latest.current = { text, onText, onBlur };
  const [typeProblems, setTypeProblems] = useState<readonly CodeProblem[]>([]);
  const hasTypes = checksTypes && !isReadOnly;
  useEffect(() => {
    if (!box.current) return undefined;
    const types = hasTypes ? typeSupport(setTypeProblems) : undefined;
    const made = createCodeView({
      parent: box.current,
      text: latest.current.text,
      language,
      label,
      isReadOnly,
      extension: types?.extension ?? [],
      onChange: (next) => latest.current.onText(next),
      onBlur: () => latest.current.onBlur(),
    });
    view.current = made;
    return () => {
      view.current = undefined;
      made.destroy();
      types?.close();
      setTypeProblems([]);
    };
  }, [language, label, isReadOnly, hasTypes]);
  useEffect(() => view.current?.setText(text), [text]);
  useEffect(() => {
    // The dialog opens in an effect of the same commit, after this one.
    if (isFirst) queueMicrotask(() => isFocusFree(box.current) && view.current?.focus());
  }, [isFirst]);
  // The server may have found the same, perhaps at another line of the class.
  const isNamed = ({ line, message }: CodeProblem) =>
    problems.some((each) => (line > 0 && each.line === line) || each.message === message);
  const all = [...problems, ...typeProblems.filter((each) => !isNamed(each))];
  // Other options make another editor.
  const marked = JSON.stringify([all, language, label, isReadOnly, hasTypes]);
  useEffect(() => view.current?.setProblems((JSON.parse(marked) as [CodeProblem[]])[0]), [marked]);
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <div
        ref={box}
        className={`overflow-y-auto rounded-md border border-edge bg-surface ${isTall ? 'h-[60dvh]' : 'max-h-80 min-h-32'}`}
      />
      <Problems problems={all} onLine={(line) => view.current?.goTo(line)} />
      {!isReadOnly && <p className="text-xs text-soft">Tab indents. Escape, then Tab leaves the editor.</p>}
    </div>
  );
}

/** Whether the dialog around an element still has the focus where the browser put it: on its button Close, or nowhere. */
function isFocusFree(element: HTMLElement | null): boolean {
  const focused = document.activeElement;
  const dialog = element?.closest('dialog');
  if (!dialog) return false;
  return !dialog.contains(focused) || focused === dialog || focused === dialog.querySelector('button');
}

function Problems({ problems, onLine }: { problems: readonly CodeProblem[]; onLine: (line: number) => void }) {
  if (problems.length === 0) return null;
  return (
    <ul className="grid gap-1 text-sm">
      {problems.map(({ line, message, isType }) => (
        <li
          key={`${line} ${message}`}
          className={`flex items-start gap-1.5 ${isType === true ? 'text-warn' : 'text-bad'}`}
        >
          {isType === true ? (
            <TriangleAlert size={15} aria-hidden="true" className="mt-0.5 shrink-0" />
          ) : (
            <CircleAlert size={15} aria-hidden="true" className="mt-0.5 shrink-0" />
          )}
          <span className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">
            {isType === true && 'Types: '}
            {line > 0 && (
              <>
                <button
                  type="button"
                  onClick={() => onLine(line)}
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
  );
}
