import type { IncomingMessage } from 'node:http';
import { createAudit } from './audit.ts';
import type { Settings } from './config/settings.ts';
import type { TrustedProxies } from './edge/addresses.ts';
import { measureNamespace } from './files/measure-namespace.ts';
import { createStorageSurvey } from './files/storage-survey.ts';
import type { Identified } from './identify.ts';
import type { Job } from './jobs.ts';
import type { Log } from './log.ts';
import type { Readiness } from './readiness.ts';
import { createAuditLog } from './store/audit-log.ts';
import { createUserTouches, touching } from './store/user-activity.ts';

export interface AdministrationOptions {
  readonly settings: Pick<Settings, 'autoLogin' | 'baseDir'>;
  readonly log: Log;
  readonly proxies: TrustedProxies;
  readonly readiness: Pick<Readiness, 'db' | 'storage'>;
}

/** Creates what only pages of administrators show: the audit log, and the activity and storage of users. */
export function composeAdministration({ settings, log, proxies, readiness: { db, storage } }: AdministrationOptions) {
  const warn = (text: string) => (error: unknown) => log.warn({ err: error }, text);
  const auditLog = createAuditLog(db, { storage, onError: warn('audit events could not be stored or pruned') });
  const userTouches = createUserTouches(db, warn('last requests of users could not be written'));
  const storageSurvey = createStorageSurvey((userId, signal) => measureNamespace(settings.baseDir, userId, signal), {
    onError: warn('the files of a user could not be counted'),
  });
  const jobs: readonly Job[] = [
    { name: 'audit log', start: () => auditLog.start(), stop: () => auditLog.close() },
    { name: 'last requests of users', stop: () => userTouches.close() },
    { name: 'storage of users', stop: () => storageSurvey.stop() },
  ];
  return {
    audit: createAudit({ log, proxies, store: auditLog }),
    auditLog,
    storageSurvey,
    userTouches,
    /** Touches the users of requests. A server without accounts has one user, whose activity no page shows. */
    touching: (identify: (request: IncomingMessage) => Promise<Identified | undefined>) =>
      settings.autoLogin ? identify : touching(identify, userTouches),
    jobs,
  };
}
