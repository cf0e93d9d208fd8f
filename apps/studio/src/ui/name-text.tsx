import { nameParts } from './unseen-characters.ts';

/**
 * A name that somebody else chose: of a file, a folder, a machine. Its direction is its own and turns nothing around it,
 * and what cannot be seen in it is shown by its code.
 */
export function NameText({ name }: { name: string }) {
  return (
    <bdi>
      {nameParts(name).map(({ text, isUnseen }, index) =>
        isUnseen ? (
          <span
            key={index}
            title="A character that cannot be seen"
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
