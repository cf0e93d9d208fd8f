import { nameParts } from './unseen-characters.ts';

/**
 * An untrusted name of a file, folder or machine, or with `hasLines` a text of several lines. Isolates its text direction, and
 * shows invisible characters by their code.
 */
export function NameText({ name, hasLines = false }: { name: string; hasLines?: boolean }) {
  return (
    <bdi>
      {nameParts(name, hasLines).map(({ text, isUnseen }, index) =>
        isUnseen ? (
          <span
            key={index}
            title="Invisible character"
            className="mx-0.5 rounded-[3px] bg-warn-soft px-1 py-px font-mono text-[0.72em] font-normal text-warn ring-1 ring-warn/40"
          >
            {text}
          </span>
        ) : (
          text
        ),
      )}
    </bdi>
  );
}
