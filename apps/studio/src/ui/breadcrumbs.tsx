import { ChevronRight } from 'lucide-react';
import { Fragment } from 'react';
import { Link } from '../routing/link.tsx';
import { NameText } from './name-text.tsx';

/** The path of the current folder as links; the last item is the current folder. */
export function Breadcrumbs({ label, steps }: { label: string; steps: readonly { name: string; to: string }[] }) {
  return (
    <nav aria-label={label} className="min-w-0">
      <ol className="flex flex-wrap items-center gap-x-1 gap-y-0.5">
        {steps.map((step, index) => (
          <Fragment key={step.to}>
            {index > 0 && (
              <li aria-hidden="true" className="text-soft">
                <ChevronRight size={16} />
              </li>
            )}
            <li className="min-w-0">
              {index === steps.length - 1 ? (
                <span aria-current="page" className="block truncate px-1 font-medium">
                  <NameText name={step.name} />
                </span>
              ) : (
                <Link
                  to={step.to}
                  className="block min-h-6 truncate rounded-sm px-1 text-soft hovered:text-ink hovered:underline"
                >
                  <NameText name={step.name} />
                </Link>
              )}
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  );
}
