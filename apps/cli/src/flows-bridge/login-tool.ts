import { ADDS, type AnyTool } from '@croft/tools';
import { z } from 'zod';
import { openKeyPage } from './key-page.ts';

/** Clients give up after a minute. */
const WAIT_MS = 45_000;

export interface LoginOptions {
  readonly server: string;
  /** Whether the server accepts the key. */
  readonly accepts: (key: string) => Promise<boolean>;
  readonly openBrowser: (url: string) => void;
  /** Called with a key that the server accepted. */
  readonly onKey: (key: string) => Promise<void>;
}

/** The tool that lets a person sign in on a page of this machine. No password or key passes through the client. */
export function loginTool(options: LoginOptions): AnyTool {
  const { server } = options;
  let open: Promise<OpenPage> | undefined;
  /** The page that is open, or a new one in the browser: a model may call the tool again while the user reads. */
  const pageNow = (): Promise<OpenPage> => {
    open ??= openPage(options).then((page) => {
      void page.signedIn.then(() => (open = undefined));
      return page;
    });
    open.catch(() => (open = undefined));
    return open;
  };
  return {
    name: 'login',
    title: 'Sign in',
    description: `Opens a page in the user's browser, on which the user signs in to ${server}. Never ask the user for a password or a key.`,
    tags: ['login'],
    input: z.strictObject({}),
    output: z.object({ status: z.string(), server_url: z.string(), url: z.string().optional() }),
    structured: true,
    annotations: { ...ADDS, openWorldHint: true },
    async run(_, { signal }) {
      const { url, signedIn } = await pageNow();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<boolean>((resolve) => {
        timer = setTimeout(() => resolve(false), WAIT_MS);
        signal?.addEventListener('abort', () => resolve(false), { once: true });
      });
      const isDone = await Promise.race([signedIn, late]).finally(() => clearTimeout(timer));
      const data = isDone
        ? { status: 'authenticated', server_url: server }
        : { status: 'waiting', server_url: server, url };
      const text = isDone
        ? `Signed in to ${server}.`
        : `The user has not signed in yet. The page stays open for ten minutes: ${url}`;
      return { ok: true, data, text };
    },
  };
}

interface OpenPage {
  readonly url: string;
  /** Whether the user signed in before the page closed. */
  readonly signedIn: Promise<boolean>;
}

async function openPage({ server, accepts, openBrowser, onKey }: LoginOptions): Promise<OpenPage> {
  const page = await openKeyPage({ server, accepts });
  openBrowser(page.url);
  const signedIn = page.key.then(async (key) => {
    if (key !== undefined) await onKey(key);
    return key !== undefined;
  });
  return { url: page.url, signedIn };
}
