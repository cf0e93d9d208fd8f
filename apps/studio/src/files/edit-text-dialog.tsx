import { useMutation, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, Suspense, useId, useState } from 'react';
import { readTextFile, saveTextFile } from '../api/files.ts';
import { ApiError } from '../api/request.ts';
import { CodeEditor } from '../inspector/code-editor.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogFoot } from '../ui/dialog.tsx';
import { NameText } from '../ui/name-text.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { Callout, ErrorState, sentenceOf } from '../ui/state.tsx';
import { spelledName } from '../ui/unseen-characters.ts';
import { editorText } from './line-ends.ts';
import { nameOf, splitName } from './paths.ts';

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
  const session = useId();
  const file = useQuery({
    queryKey: ['edited-text', path, session],
    queryFn: async ({ signal }) => {
      const { text, tag } = await readTextFile(path, signal);
      return { ...editorText(text), tag };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const [typed, setTyped] = useState<string>();
  const [isLeaving, setIsLeaving] = useState(false);
  const { data } = file;
  const text = typed ?? data?.text ?? '';
  const isChanged = data !== undefined && text !== data.text;
  const save = useMutation({
    mutationFn: (overwrites: boolean) =>
      saveTextFile(path, data?.stored(text) ?? text, overwrites ? undefined : data?.tag),
    onSuccess: ({ undo }) => {
      onClose();
      return onSaved(undo);
    },
  });
  const isConflict = save.error instanceof ApiError && save.error.code === 'changed';
  const submit = () => {
    if (isChanged && !save.isPending && !isConflict) save.mutate(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  };
  async function reload() {
    save.reset();
    await file.refetch();
    setTyped(undefined);
  }
  return (
    <Dialog
      open
      wide
      title={
        <>
          Edit “<NameText name={name} />”
        </>
      }
      onClose={() => (isChanged && !isLeaving ? setIsLeaving(true) : onClose())}
    >
      <div className="grid grid-cols-1 gap-3" onKeyDownCapture={onKeyDown}>
        {data ? (
          <Suspense fallback={<SkeletonLines label="Loading the editor" lines={10} />}>
            <CodeEditor
              text={text}
              onText={(next) => {
                setTyped(next);
                setIsLeaving(false);
              }}
              onBlur={() => undefined}
              language={LANGUAGES[splitName(name)[1].toLowerCase()]}
              label={`Text of ${spelledName(name)}`}
              problems={[]}
              isReadOnly={false}
              isTall
            />
          </Suspense>
        ) : file.error ? (
          <ErrorState title="The file cannot be edited" error={file.error} />
        ) : (
          <SkeletonLines label="Loading the file" lines={10} />
        )}
        {isConflict ? (
          <Callout tone="warn" role="alert">
            The file was changed since you opened it. Reload it and lose your changes, or overwrite it with your text.
          </Callout>
        ) : (
          save.error && (
            <Callout tone="bad" role="alert">
              Not saved. {sentenceOf(save.error)}
            </Callout>
          )
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
            <Button look="danger" busy={save.isPending} onClick={() => save.mutate(true)}>
              Overwrite
            </Button>
            <Button onClick={() => void reload()}>Reload</Button>
          </>
        ) : (
          <Button look="primary" busy={save.isPending} disabled={!isChanged} onClick={submit}>
            Save
          </Button>
        )}
        {isLeaving ? (
          <Button onClick={onClose}>Discard changes</Button>
        ) : (
          <Button onClick={() => (isChanged ? setIsLeaving(true) : onClose())}>Cancel</Button>
        )}
      </DialogFoot>
    </Dialog>
  );
}
