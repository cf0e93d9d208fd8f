import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button, type ButtonLook } from './button.tsx';

const REMEMBER_MS = 2_000;
const WORDS = { copied: 'Copied', selected: 'Selected', failed: 'Not copied' } as const;

/** Copies text and confirms it. If the browser refuses, calls `onRefused`, which selects the text, or says that nothing is copied. */
export function CopyButton({
  text,
  onRefused,
  look = 'plain',
  label = 'Copy',
  first = false,
  small = false,
}: {
  text: string | (() => Promise<string>);
  onRefused?: () => void;
  look?: ButtonLook;
  label?: string;
  /** Whether this button has the focus when its dialog opens. */
  first?: boolean;
  small?: boolean;
}) {
  const [state, setState] = useState<'idle' | 'busy' | 'copied' | 'selected' | 'failed'>('idle');
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (state === 'idle' || state === 'busy') return undefined;
    const timer = setTimeout(() => setState('idle'), REMEMBER_MS);
    return () => clearTimeout(timer);
  }, [state]);
  async function copy() {
    setState('busy');
    let value: string;
    try {
      value = typeof text === 'string' ? text : await text();
    } catch {
      return setState('failed');
    }
    if (await isCopied(value, button.current)) setState('copied');
    else if (onRefused) {
      onRefused();
      setState('selected');
    } else setState('failed');
  }
  return (
    <Button
      ref={button}
      look={look}
      small={small}
      busy={state === 'busy'}
      onClick={() => void copy()}
      aria-live="polite"
      data-first={first || undefined}
    >
      {state === 'copied' ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
      {state === 'idle' || state === 'busy' ? label : WORDS[state]}
    </Button>
  );
}

/** Copies a text. Pages on plain HTTP have no clipboard. */
async function isCopied(text: string, button: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return button !== null && isCopiedByCommand(text, button);
  }
}

/** Copies by a field beside the button: a field outside of its modal dialog cannot be selected. */
function isCopiedByCommand(text: string, button: HTMLElement): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.position = 'fixed';
  button.after(field);
  field.focus({ preventScroll: true });
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    button.focus({ preventScroll: true });
  }
}
