import { Link } from '../routing/link.tsx';
import { buttonClass } from '../ui/button.tsx';

/** Leads to the run of a message in the history. */
export function RunLink({ id }: { id: string }) {
  return (
    <Link to={`/runs/${id}`} className={buttonClass('quiet', true)}>
      Show the run
    </Link>
  );
}
