import { Download, Ellipsis, Eye, FilePen, FolderOpen, History, Pencil, Trash2 } from 'lucide-react';
import { changesPath } from '../api/activity.ts';
import type { FileEntry } from '../api/files.ts';
import { navigate } from '../routing/location.ts';
import { IconButton } from '../ui/button.tsx';
import { spelledName } from '../ui/unseen-characters.ts';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { isEditable } from './paths.ts';
import type { EntryActions } from './row-actions.ts';

/** The actions on one entry. The menu opens when it mounts: a row mounts it only on request. */
export function RowMenu({
  entry,
  tabIndex,
  ...actions
}: Omit<EntryActions, 'hrefOf'> & { entry: FileEntry; tabIndex: number }) {
  const Open = entry.type === 'dir' ? FolderOpen : Eye;
  return (
    <Menu
      defaultOpen
      trigger={
        <IconButton label={`Actions for ${spelledName(entry.name)}`} tabIndex={tabIndex} className="size-8 text-soft">
          <Ellipsis size={17} />
        </IconButton>
      }
    >
      <MenuItem onSelect={() => actions.onOpen(entry)}>
        <Open size={16} aria-hidden="true" /> {entry.type === 'dir' ? 'Open' : 'Preview'}
      </MenuItem>
      {entry.type === 'file' && (
        <MenuItem onSelect={() => actions.onDownload(entry)}>
          <Download size={16} aria-hidden="true" /> Download
        </MenuItem>
      )}
      {isEditable(entry) && (
        <MenuItem onSelect={() => actions.onEdit(entry)}>
          <FilePen size={16} aria-hidden="true" /> Edit
        </MenuItem>
      )}
      <MenuItem onSelect={() => navigate(changesPath({ path: entry.path }))}>
        <History size={16} aria-hidden="true" /> Show changes
      </MenuItem>
      {!entry.isFixed && (
        <>
          <MenuItem onSelect={() => actions.onRename(entry)}>
            <Pencil size={16} aria-hidden="true" /> Rename or move
          </MenuItem>
          <MenuLine />
          <MenuItem danger onSelect={() => actions.onDelete([entry])}>
            <Trash2 size={16} aria-hidden="true" /> Delete
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
