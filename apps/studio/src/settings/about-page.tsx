import { ArrowUpRight } from 'lucide-react';
import { apiUrl } from '../api/request.ts';
import type { PageProps } from '../shell/page-props.ts';
import { Card, CardBody, CardHead } from '../ui/card.tsx';

/** The page with version, licence and privacy. */
export function AboutPage({ me }: PageProps) {
  return (
    <Card aria-label="About">
      <CardHead
        title={`Croft ${me.version}`}
        about="Gives AI agents a place to work with files, and confines them to it."
      />
      <CardBody className="grid gap-4">
        <p>
          Croft sends no data anywhere: no telemetry and no crash reports. It loads no fonts or scripts from other
          sites. This page connects only to this server and, while <em>Connect</em> is open, to croft on your own
          computer.
        </p>
        <p>
          <a
            href={apiUrl('api/docs')}
            target="_blank"
            rel="noreferrer"
            className="inline-flex items-center gap-1 rounded-sm font-medium text-accent-strong underline underline-offset-2"
          >
            The HTTP interface, for scripts <ArrowUpRight size={16} aria-hidden="true" />
          </a>
        </p>
        <p className="text-sm text-soft">
          In a terminal, <code className="font-mono">croft help</code> lists every command and{' '}
          <code className="font-mono">croft doctor</code> says what is protected on this machine, and what is not.
          Licensed under Apache-2.0.
        </p>
      </CardBody>
    </Card>
  );
}
