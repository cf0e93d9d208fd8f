import { Maximize2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { createPortal } from 'react-dom';
import { loadable } from '../routing/loadable.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import type { CodeProblem } from './code-view.ts';
import type { ValueControl } from './text-control.tsx';
import { useDraft } from './use-draft.ts';

const CodeEditor = loadable(() => import('./code-editor.tsx').then((m) => m.CodeEditor));

/** Code in the inspector, or in a large dialog. Both edit the same draft. */
export function CodeControl({
  value,
  onValue,
  disabled,
  label,
  language,
  problems,
}: Omit<ValueControl<string>, 'control'> & {
  label: string;
  language: string | undefined;
  problems: readonly CodeProblem[];
}) {
  const draft = useDraft(value, onValue);
  const [isLarge, setIsLarge] = useState(false);
  const editor = (
    <Suspense fallback={<SkeletonLines label="Loading the editor" lines={5} />}>
      <CodeEditor
        text={draft.value}
        onText={draft.set}
        onBlur={draft.flush}
        language={language}
        label={label}
        problems={problems}
        isReadOnly={disabled}
        isTall={isLarge}
        isFirst={isLarge}
        checksTypes={language === 'typescript'}
      />
    </Suspense>
  );
  if (!isLarge)
    return (
      <>
        {editor}
        <Button small className="justify-self-start" onClick={() => setIsLarge(true)}>
          <Maximize2 size={14} aria-hidden="true" /> Edit in a large window
        </Button>
      </>
    );
  return createPortal(
    <Dialog open wide title={label} onClose={() => setIsLarge(false)}>
      {editor}
    </Dialog>,
    document.body,
  );
}
