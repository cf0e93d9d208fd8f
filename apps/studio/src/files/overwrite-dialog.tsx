import { useId, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Dialog, DialogFoot } from '../ui/dialog.tsx';
import { NameText } from '../ui/name-text.tsx';
import { folderOf, nameOf } from './paths.ts';
import type { Upload, WhenTaken } from './upload-queue.ts';

/** Asks what to do with a file whose name is taken, or whose replacement is final; once for all of a batch, if wanted. */
export function OverwriteDialog({
  upload,
  others,
  onDecide,
  onClose,
}: {
  upload: Upload;
  others: number;
  onDecide: (choice: WhenTaken, forAll: boolean) => void;
  onClose: () => void;
}) {
  const [forAll, setForAll] = useState(false);
  const id = useId();
  const folder = folderOf(upload.path);
  const isFinal = upload.question === 'not_undoable';
  return (
    <Dialog
      open
      title={
        <>
          “<NameText name={nameOf(upload.path)} />” {isFinal ? 'is too large for the trash' : 'is already there'}
        </>
      }
      about={
        <>
          {folder !== '' && (
            <>
              In <NameText name={folder} />.{' '}
            </>
          )}
          {isFinal
            ? 'The trash cannot keep the old file. Replacing it for good cannot be undone.'
            : 'The trash keeps the old file, so you can undo replacing it.'}{' '}
          “Keep both” gives the new file another name.
        </>
      }
      onClose={onClose}
    >
      {others > 0 && (
        <p className="flex items-center gap-2.5 text-sm">
          <Checkbox id={id} checked={forAll} onCheckedChange={(checked) => setForAll(checked === true)} />
          <label htmlFor={id}>Do the same with the others</label>
        </p>
      )}
      <DialogFoot>
        <Button look="primary" data-first onClick={() => onDecide('keep-both', forAll)}>
          Keep both
        </Button>
        <Button look="danger" onClick={() => onDecide('replace', forAll)}>
          {isFinal ? 'Replace for good' : 'Replace'}
        </Button>
        <Button onClick={() => onDecide('skip', forAll)}>Skip</Button>
      </DialogFoot>
    </Dialog>
  );
}
