import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog, DialogFoot } from '../ui/dialog.tsx';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { toast, ToastCard } from '../ui/toast.tsx';
import { KitRow } from './kit-row.tsx';

const STAYS = Number.POSITIVE_INFINITY;

/** Components in front of the page or at its edge. */
export function OverlayStates() {
  const [open, setOpen] = useState<'dialog' | 'confirm'>();
  const close = () => setOpen(undefined);
  return (
    <div className="grid grid-cols-1 gap-4">
      <KitRow name="dialog">
        <Button onClick={() => setOpen('dialog')}>Open a dialog</Button>
        <Button onClick={() => setOpen('confirm')}>Ask before it is lost</Button>
      </KitRow>
      <KitRow name="menu">
        <Menu align="start" trigger={<Button>Open a menu</Button>}>
          <MenuItem>
            <Pencil size={16} aria-hidden="true" /> Rename
          </MenuItem>
          <MenuItem disabled>Disabled</MenuItem>
          <MenuLine />
          <MenuItem danger>
            <Trash2 size={16} aria-hidden="true" /> Delete
          </MenuItem>
        </Menu>
      </KitRow>
      <KitRow name="toast">
        <ToastCard message={{ text: 'Saved.', stayMs: STAYS }} onGone={() => {}} />
        <ToastCard
          message={{ text: 'Deleted “notes.md”.', stayMs: STAYS, action: { label: 'Undo', run: () => {} } }}
          onGone={() => {}}
        />
        <ToastCard message={{ text: 'There is no room left.', tone: 'bad', stayMs: STAYS }} onGone={() => {}} />
        <Button onClick={() => toast({ text: 'Saved.' })}>Show one</Button>
      </KitRow>
      <Dialog open={open === 'dialog'} title="A question" about="With a sentence that explains it." onClose={close}>
        <p>The question.</p>
        <DialogFoot>
          <Button look="primary" data-first onClick={close}>
            Do it
          </Button>
          <Button onClick={close}>Cancel</Button>
        </DialogFoot>
      </Dialog>
      {open === 'confirm' && (
        <ConfirmDialog
          title="Revoke “laptop”?"
          about="It cannot be brought back."
          action="Revoke"
          busy={false}
          onConfirm={close}
          onClose={close}
        />
      )}
    </div>
  );
}
