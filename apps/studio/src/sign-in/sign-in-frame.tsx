import { type ReactNode, useEffect } from 'react';
import { Mark } from '../shell/mark.tsx';

/** The frame of the pages before sign-in. */
export function SignInFrame({ title, about, children }: { title: string; about: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Croft`;
  }, [title]);
  return (
    <main className="grid min-h-dvh content-center justify-items-center px-4 py-10">
      <div className="w-full max-w-96">
        <div className="mb-6 flex items-center gap-2">
          <Mark className="size-7" />
          <span className="text-lg font-semibold tracking-tight">Croft</span>
        </div>
        <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        <div className="mt-1 mb-6 text-soft">{about}</div>
        {children}
      </div>
    </main>
  );
}
