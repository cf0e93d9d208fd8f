import { Fragment } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { Keys } from './keys.tsx';
import { SHORTCUTS } from './shortcuts.ts';

/** The keys of the canvas. */
export function HelpSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open wide title="Keys on the canvas" onClose={onClose}>
      <div className="grid gap-5">
        {SHORTCUTS.map(({ title, rows }) => (
          <section key={title} aria-label={title}>
            <h3 className="mb-1 text-sm font-semibold">{title}</h3>
            <dl className="grid text-sm">
              {rows.map(({ about, keys }) => (
                <div key={about} className="flex items-start justify-between gap-4 border-t border-line py-1.5">
                  <dt>{about}</dt>
                  <dd className="flex shrink-0 flex-wrap items-center justify-end gap-1">
                    {keys.map((parts, index) => (
                      <Fragment key={parts.join('+')}>
                        {index > 0 && <span className="text-soft">or</span>}
                        <Keys keys={parts} />
                      </Fragment>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
