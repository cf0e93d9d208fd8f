import { useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { PickList, type PickItem } from '../ui/pick-list.tsx';

/** A dialog with a list to pick from. Every word of the search must be in a row. */
export function PickDialog({
  title,
  about,
  label,
  items,
  empty,
  onPick,
  onClose,
}: {
  title: string;
  about?: string;
  label: string;
  items: readonly PickItem[];
  empty: string;
  onPick: (item: PickItem) => void;
  onClose: () => void;
}) {
  const [search, setSearch] = useState('');
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = items.filter((item) => {
    const text = `${item.title} ${item.about ?? ''} ${item.group ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <Dialog open title={title} about={about} onClose={onClose}>
      <PickList
        label={label}
        items={found}
        search={search}
        onSearch={setSearch}
        onPick={onPick}
        empty={items.length === 0 ? empty : 'Nothing fits this search.'}
        className="max-h-[55dvh]"
      />
    </Dialog>
  );
}
