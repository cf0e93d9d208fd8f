import { Search } from 'lucide-react';

/** A field that searches flows, or another list, while the user types. */
export function FlowSearch({
  text,
  onText,
  label = 'Search flows',
}: {
  text: string;
  onText: (text: string) => void;
  label?: string;
}) {
  return (
    <search className="relative min-w-0 max-sm:w-full sm:w-64">
      <Search
        aria-hidden="true"
        size={16}
        className="pointer-events-none absolute inset-y-0 left-3 my-auto text-soft"
      />
      <input
        type="search"
        aria-label={label}
        placeholder="Search"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={text}
        onChange={(event) => onText(event.target.value)}
        className="min-h-9 w-full rounded-md border border-edge bg-surface py-1.5 pr-2 pl-9 max-sm:min-h-10 max-sm:text-[1rem]"
      />
    </search>
  );
}
