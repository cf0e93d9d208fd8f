import { asSentence } from '@croft/flow';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, Suspense, useState } from 'react';
import { type CodeFault, componentSourceQuery, saveComponent } from '../api/components.ts';
import { loadable } from '../routing/loadable.tsx';
import { Button } from '../ui/button.tsx';
import { DiscardQuestion } from '../ui/discard-question.tsx';
import { Dialog, DialogFoot } from '../ui/dialog.tsx';
import { isSaveKey } from '../ui/is-save-key.ts';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { Callout, ErrorState, sentenceOf } from '../ui/state.tsx';
import { useUnsaved } from '../ui/use-unsaved.ts';

const CodeEditor = loadable(() => import('../inspector/code-editor.tsx').then((m) => m.CodeEditor));

const SAMPLE = `export class Shout extends Component {
  label = 'Shout';
  description = 'Gives a text in capital letters.';
  inputs = [{ name: 'value', label: 'Text', kind: 'text', default: 'hello' }];
  outputs = [{ name: 'result', label: 'Result', types: ['Message'], method: 'build' }];

  build() {
    return this.value.toUpperCase();
  }
}
`;

/** The source of a component. The server tries the code once before it saves it, and says what is wrong with it. */
export function ComponentDialog({
  name,
  onSaved,
  onClose,
}: {
  /** Empty for a new component. */
  name: string;
  onSaved: () => void;
  onClose: () => void;
}) {
  const isNew = name === '';
  const source = useQuery({ ...componentSourceQuery(name), enabled: !isNew });
  const [typed, setTyped] = useState<string>();
  const [faults, setFaults] = useState<readonly CodeFault[]>([]);
  const text = typed ?? (isNew ? SAMPLE : source.data);
  const isChanged = typed !== undefined && typed !== (isNew ? SAMPLE : source.data);
  const { isLeaving, leave, stay } = useUnsaved(isChanged, onClose);
  const save = useMutation({
    mutationFn: saveComponent,
    onSuccess: (found) => {
      setFaults(found);
      if (found.length === 0) onSaved();
    },
  });
  function submit() {
    if (text !== undefined && !save.isPending) save.mutate(text);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (!isSaveKey(event)) return;
    event.preventDefault();
    submit();
  }
  return (
    <Dialog
      open
      wide
      title={isNew ? 'New component' : name}
      about="A class that extends Component. Its literal inputs and outputs become ports; each output names a method."
      onClose={leave}
    >
      <div className="grid grid-cols-1 gap-3" onKeyDownCapture={onKeyDown}>
        {text !== undefined ? (
          <Suspense fallback={<SkeletonLines label="Loading the editor" lines={10} />}>
            <CodeEditor
              text={text}
              onText={(next) => {
                setTyped(next);
                setFaults([]);
              }}
              onBlur={() => undefined}
              language="typescript"
              label="Code of the component"
              problems={faults.map(({ line, message, fix }) => ({ line, message: `${asSentence(message)} ${fix}` }))}
              isReadOnly={false}
              isTall
              isFirst
              checksTypes
            />
          </Suspense>
        ) : source.error ? (
          <ErrorState title="The code cannot be shown" error={source.error} onRetry={() => void source.refetch()} />
        ) : (
          <SkeletonLines label="Loading the code" lines={10} />
        )}
        {faults.length > 0 && (
          <Callout tone="bad" role="alert">
            Not saved. Correct the code and save again.
          </Callout>
        )}
        {save.error && (
          <Callout tone="bad" role="alert">
            {sentenceOf(save.error)}
          </Callout>
        )}
      </div>
      <DialogFoot>
        <Button look="primary" busy={save.isPending} aria-disabled={text === undefined} onClick={submit}>
          Save component
        </Button>
        <Button onClick={leave}>Cancel</Button>
      </DialogFoot>
      {isLeaving && <DiscardQuestion about="The code was not saved." onDiscard={onClose} onStay={stay} />}
    </Dialog>
  );
}
