/** The log of a component, as text. */
export function LogLines({ log, of }: { log: readonly string[]; of: string }) {
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <h3 className="text-sm text-soft">Log</h3>
      <div
        role="region"
        tabIndex={0}
        aria-label={`Log of ${of}`}
        className="max-h-60 overflow-y-auto rounded-md border border-line bg-sunken px-3 py-2 font-mono text-sm"
      >
        <ol className="grid grid-cols-1 gap-0.5">
          {log.map((line, at) => (
            // Lines are only added at the end.
            <li key={at} className="whitespace-pre-wrap [overflow-wrap:anywhere]">
              {line}
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}
