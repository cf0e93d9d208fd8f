import { type ReactNode, useEffect } from 'react';
import { ThemeChoice } from '../appearance/theme-choice.tsx';
import { Link } from '../routing/link.tsx';
import { Mark } from '../shell/mark.tsx';
import { ButtonStates, FieldStates, ChoiceStates } from './kit-controls.tsx';
import { OverlayStates } from './kit-overlays.tsx';
import { MessageStates, ViewStates } from './kit-views.tsx';
import { Tokens } from './kit-tokens.tsx';

const PARTS: readonly { name: string; id: string; part: ReactNode }[] = [
  { name: 'Tokens', id: 'tokens', part: <Tokens /> },
  { name: 'Buttons', id: 'buttons', part: <ButtonStates /> },
  { name: 'Fields', id: 'fields', part: <FieldStates /> },
  { name: 'Choices', id: 'choices', part: <ChoiceStates /> },
  { name: 'Messages', id: 'messages', part: <MessageStates /> },
  { name: 'Over the page', id: 'overlays', part: <OverlayStates /> },
  { name: 'Views', id: 'views', part: <ViewStates /> },
];

/** Shows every component in every state, and the design tokens. For developers of pages; needs no sign-in. */
export function KitPage() {
  useEffect(() => {
    document.title = 'Kit · Croft';
  }, []);
  return (
    <main className="mx-auto grid max-w-5xl grid-cols-1 gap-10 p-4 md:p-8">
      <header className="flex flex-wrap items-center justify-between gap-4">
        <div>
          <Link to="/files" className="flex w-fit items-center gap-2 rounded-sm text-soft hovered:text-ink">
            <Mark className="size-5" /> Croft
          </Link>
          <h1 className="mt-2 text-2xl font-semibold tracking-tight">Kit</h1>
          <p className="text-soft">Every component in every state, and the tokens it is made of.</p>
        </div>
        <ThemeChoice />
      </header>
      {PARTS.map(({ name, id, part }) => (
        <section key={id} aria-labelledby={id} className="grid grid-cols-1 gap-4">
          <h2 id={id} className="border-b border-line pb-2 text-xl font-semibold tracking-tight">
            {name}
          </h2>
          {part}
        </section>
      ))}
    </main>
  );
}
