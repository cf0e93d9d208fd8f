import { useId, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Dialog, DialogFoot } from '../ui/dialog.tsx';
import { NameText } from '../ui/name-text.tsx';
import { folderOf, nameOf } from './paths.ts';
import type { Upload, WhenTaken } from './upload-queue.ts';

/** Asks what to do with a file whose name is taken; once for all of a batch, when wanted. */
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
  return (
    <Dialog
      open
      title={
        <>
          “<NameText name={nameOf(upload.path)} />” is already there
        </>
      }
      about={
        <>
          {folder !== '' && (
            <>
              In <NameText name={folder} />.{' '}
            </>
          )}
          The trash keeps the old file; one that is too large for it is not replaced. Keeping both gives the new one
          another name.
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
          Replace
        </Button>
        <Button onClick={() => onDecide('skip', forAll)}>Skip</Button>
      </DialogFoot>
    </Dialog>
  );
}
