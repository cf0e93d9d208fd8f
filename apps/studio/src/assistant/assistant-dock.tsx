import { useQuery } from '@tanstack/react-query';
import { BotMessageSquare } from 'lucide-react';
import { Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { meQuery } from '../api/me.ts';
import { loadable } from '../routing/loadable.tsx';
import { Button } from '../ui/button.tsx';
import type { AssistantFlow } from './assistant-flow.ts';
import { openKept } from './kept.ts';
import { assistantRequests } from './open-assistant.ts';

const AssistantPanel = loadable(() => import('./assistant-panel.tsx').then((m) => m.AssistantPanel));

/** Up to this width of the window, the panel is a sheet over the page. */
const NARROW = '(width < 40rem)';

/** The button of the assistant, and its panel once that was opened. The panel's code loads then. */
export function AssistantDock(flow: AssistantFlow) {
  const { data: me } = useQuery(meQuery);
  const userId = me?.user?.id;
  return userId === undefined ? null : <Dock key={userId} userId={userId} flow={flow} />;
}

function Dock({ userId, flow }: { userId: string; flow: AssistantFlow }) {
  const [kept] = useState(() => openKept(userId));
  const [isOpen, setIsOpen] = useState(() => kept.readIsOpen() && !matchMedia(NARROW).matches);
  const [wasOpened, setWasOpened] = useState(isOpen);
  const button = useRef<HTMLButtonElement>(null);
  const focusBefore = useRef<Element>(null);
  const show = (next: boolean) => {
    focusBefore.current = document.activeElement;
    kept.writeIsOpen(next);
    setIsOpen(next);
    if (next) setWasOpened(true);
    else button.current?.focus();
  };
  const requests = useSyncExternalStore(assistantRequests.subscribe, assistantRequests.get);
  const open = useRef<() => void>(undefined);
  open.current = () => show(true);
  useEffect(() => {
    if (requests === assistantRequests.met) return;
    assistantRequests.met = requests;
    open.current?.();
  }, [requests]);
  const toggle = useRef<() => void>(undefined);
  toggle.current = () => show(!isOpen);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isMod = event.ctrlKey || event.metaKey;
      if (!isMod || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'i') return;
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      toggle.current?.();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <Button
        ref={button}
        small
        aria-expanded={isOpen}
        title="Assistant (Ctrl+I)"
        onPointerEnter={() => void AssistantPanel.preload()}
        onClick={() => show(!isOpen)}
      >
        <BotMessageSquare size={16} aria-hidden="true" /> Assistant
      </Button>
      {wasOpened && (
        <Suspense fallback={null}>
          <AssistantPanel {...flow} kept={kept} isOpen={isOpen} focusBefore={focusBefore} onClose={() => show(false)} />
        </Suspense>
      )}
    </>
  );
}
