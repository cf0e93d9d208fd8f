import { type RefObject, useEffect, useRef, useState } from 'react';

/** The text of a card on the canvas, which is edited in the card itself. */
export interface InPlaceEditing {
  readonly isOpen: boolean;
  /** An element in the card. */
  readonly box: RefObject<HTMLDivElement | null>;
  /** Does nothing where the flow cannot be edited. */
  open(): void;
  /** Closes the field by a key. The focus goes back to the card. */
  close(): void;
  /** Closes the field that has lost the focus. Chromium drops the focus that a click sets when another element takes it meanwhile. */
  leave(): void;
}

/** Opens the field of a new card at once, and of any other card by F2 on it or by `open`. */
export function useInPlaceEditing(isNew: boolean, canEdit: boolean): InPlaceEditing {
  const [isOpen, setIsOpen] = useState(isNew);
  const box = useRef<HTMLDivElement>(null);
  const card = () => box.current?.closest<HTMLElement>('.react-flow__node');
  useEffect(() => {
    const node = card();
    if (!node || !canEdit) return undefined;
    const press = (event: KeyboardEvent) => {
      if (event.key === 'F2') setIsOpen(true);
    };
    node.addEventListener('keydown', press);
    return () => node.removeEventListener('keydown', press);
  }, [canEdit]);
  return {
    isOpen,
    box,
    open: () => {
      if (canEdit) setIsOpen(true);
    },
    close: () => {
      setIsOpen(false);
      card()?.focus();
    },
    leave: () => setIsOpen(false),
  };
}
