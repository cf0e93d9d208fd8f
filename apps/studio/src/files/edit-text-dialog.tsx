import { type KeyboardEvent, Suspense } from 'react';
import { CodeEditor } from '../inspector/code-editor.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogFoot } from '../ui/dialog.tsx';
import { isSaveKey } from '../ui/is-save-key.ts';
import { NameText } from '../ui/name-text.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { Callout, ErrorState, sentenceOf } from '../ui/state.tsx';
import { spelledName } from '../ui/unseen-characters.ts';
import { nameOf, splitName } from './paths.ts';
import { useEditedText } from './use-edited-text.ts';

const LANGUAGES: Readonly<Record<string, string>> = {
  '.ts': 'typescript',
  '.tsx': 'typescript',
  '.js': 'typescript',
  '.mjs': 'typescript',
  '.json': 'json',
};

/** Edits a text file. A file that changed meanwhile is not replaced before the person decides. */
export function EditTextDialog({
  path,
  onSaved,
  onClose,
}: {
  path: string;
  /** With the id that reverts the change, if it can be reverted. */
  onSaved: (undo: string | undefined) => Promise<unknown>;
  onClose: () => void;
}) {
  const name = nameOf(path);
  const edited = useEditedText(path, onSaved, onClose);
  const { isChanged, isConflict, isLeaving, isSaving } = edited;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSaveKey(event)) return;
    event.preventDefault();
    edited.submit();
  };
  return (
    <Dialog
      open
      wide
      title={
        <>
          Edit “<NameText name={name} />”
        </>
      }
      onClose={isLeaving ? onClose : edited.leave}
    >
      <div className="grid grid-cols-1 gap-3" onKeyDownCapture={onKeyDown}>
        {edited.isLoaded ? (
          <Suspense fallback={<SkeletonLines label="Loading the editor" lines={10} />}>
            <CodeEditor
              text={edited.text}
              onText={edited.setText}
              onBlur={() => undefined}
              language={LANGUAGES[splitName(name)[1].toLowerCase()]}
              label={`Text of ${spelledName(name)}`}
              problems={[]}
              isReadOnly={false}
              isTall
              isFirst
            />
          </Suspense>
        ) : edited.problem ? (
          <ErrorState title="The file cannot be edited" error={edited.problem} />
        ) : (
          <SkeletonLines label="Loading the file" lines={10} />
        )}
        {isConflict ? (
          <Callout tone="warn" role="alert">
            The file was changed since you opened it. Reload it and lose your changes, or overwrite it with your text.
          </Callout>
        ) : (
          edited.saveError && (
            <Callout tone="bad" role="alert">
              Not saved. {sentenceOf(edited.saveError)}
            </Callout>
          )
        )}
        {isConflict && edited.problem && (
          <Callout tone="bad" role="alert">
            The file was not reloaded. {sentenceOf(edited.problem)}
          </Callout>
        )}
        {isLeaving && (
          <Callout tone="warn" role="alert">
            Your changes are not saved.
          </Callout>
        )}
      </div>
      <DialogFoot>
        {isConflict ? (
          <>
            <Button look="danger" busy={isSaving} onClick={edited.overwrite}>
              Overwrite
            </Button>
            <Button onClick={() => void edited.reload()}>Reload</Button>
          </>
        ) : (
          <Button look="primary" busy={isSaving} disabled={!isChanged} onClick={edited.submit}>
            Save
          </Button>
        )}
        {isLeaving ? (
          <Button onClick={onClose}>Discard changes</Button>
        ) : (
          <Button onClick={edited.leave}>Cancel</Button>
        )}
      </DialogFoot>
    </Dialog>
  );
}
