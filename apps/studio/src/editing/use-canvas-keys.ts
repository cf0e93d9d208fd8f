import { useEffect, useRef } from 'react';
import { type Command, commandOf } from './shortcuts.ts';

export interface CanvasKeys {
  readonly onCommand: (command: Command) => void;
  /** The text of what is selected. */
  readonly copied: () => string | undefined;
  readonly onCut: () => void;
  /** @returns whether the text was for the canvas */
  readonly onPaste: (text: string) => boolean;
}

/** Listens to the keys and the clipboard while neither a field, a dialog nor another part of the page has the focus. */
export function useCanvasKeys(box: { readonly current: HTMLElement | null }, keys: CanvasKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const isFor = (target: EventTarget | null) => {
      if (!(target instanceof Element) || document.querySelector('dialog[open]')) return false;
      if (target.closest('input, textarea, select, [contenteditable=true], [role=menu], .nokeys')) return false;
      // A click on the empty canvas, or opening the page, focuses an element that is not operated itself.
      return box.current?.contains(target) === true || target.matches('body, h1, [tabindex="-1"]:not([role])');
    };
    const press = (event: KeyboardEvent) => {
      const command = event.defaultPrevented ? undefined : commandOf(event);
      const isOpen = document.querySelector('dialog[open]') !== null;
      if (command === undefined || !(isFor(event.target) || (command === 'commands' && !isOpen))) return;
      event.preventDefault();
      latest.current.onCommand(command);
    };
    const copy = (event: ClipboardEvent) => {
      if (!isFor(event.target) || getSelection()?.isCollapsed === false) return;
      const text = latest.current.copied();
      if (text === undefined) return;
      event.preventDefault();
      event.clipboardData?.setData('text/plain', text);
      if (event.type === 'cut') latest.current.onCut();
    };
    const paste = (event: ClipboardEvent) => {
      const text = isFor(event.target) ? event.clipboardData?.getData('text/plain') : undefined;
      if (text !== undefined && latest.current.onPaste(text)) event.preventDefault();
    };
    document.addEventListener('keydown', press);
    document.addEventListener('copy', copy);
    document.addEventListener('cut', copy);
    document.addEventListener('paste', paste);
    return () => {
      document.removeEventListener('keydown', press);
      document.removeEventListener('copy', copy);
      document.removeEventListener('cut', copy);
      document.removeEventListener('paste', paste);
    };
  }, [box]);
}
