import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, type ButtonLook } from './button.tsx';

const REMEMBER_MS = 2_000;

/** Copies text and confirms it. If the clipboard is refused, calls `onRefused`, so that the text can be selected. */
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
  const [state, setState] = useState<'idle' | 'busy' | 'copied' | 'refused'>('idle');
  useEffect(() => {
    if (state !== 'copied' && state !== 'refused') return undefined;
    const timer = setTimeout(() => setState('idle'), REMEMBER_MS);
    return () => clearTimeout(timer);
  }, [state]);
  async function copy() {
    setState('busy');
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setState('copied');
    } catch {
      onRefused?.();
      setState('refused');
    }
  }
  return (
    <Button
      look={look}
      small={small}
      busy={state === 'busy'}
      onClick={() => void copy()}
      aria-live="polite"
      data-first={first || undefined}
    >
      {state === 'copied' ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
      {state === 'copied' ? 'Copied' : state === 'refused' ? 'Selected' : label}
    </Button>
  );
}
