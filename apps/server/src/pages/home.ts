import { clientConfigs } from './client-configs.ts';
import { escapeHtml } from './layout.ts';

/** One line of recent activity. */
export interface RecentCall {
  readonly time: string;
  readonly tool: string;
  readonly outcome: string;
  readonly what: string;
}

/** The data of the page. It may hold host paths, because the person who started the server reads it. */
export interface Overview {
  readonly url: string;
  readonly token: string | undefined;
  readonly roots: readonly string[];
  readonly tools: readonly string[];
  readonly toolset: string;
  readonly readOnly: boolean;
  readonly resolver: string;
  readonly secondWall: string;
  readonly version: string;
  readonly recent: readonly RecentCall[];
  /** For each directory, the commands that show and undo changes there. */
  readonly advice: readonly { readonly log: string; readonly undo: string }[];
}

/** The content of the page: the directories, how to connect an agent, and recent activity. */
export function renderHome(overview: Overview): string {
  const { roots, toolset, readOnly, resolver, secondWall, version, url } = overview;
  return `
<h1>${roots.length === 1 ? 'One directory is' : `${roots.length} directories are`} open to your agents</h1>
<p>The tools below cannot reach files outside ${roots.length === 1 ? 'this directory' : 'these directories'}.</p>
<dl class="panel facts">
<dt>${roots.length === 1 ? 'Directory' : 'Directories'}</dt><dd>${roots.map((root) => `<code>${escapeHtml(root)}</code>`).join('<br>')}</dd>
<dt>Endpoint</dt><dd><code>${escapeHtml(url)}/mcp</code></dd>
<dt>Access</dt><dd>${readOnly ? 'Read only' : `Read and write; undo changes with ${codes(overview.advice.map(({ undo }) => undo))}`}</dd>
<dt>Tools</dt><dd><ul class="chips" aria-label="Tools of the set ${escapeHtml(toolset)}">${overview.tools.map((tool) => `<li><code>${escapeHtml(tool)}</code></li>`).join('')}</ul></dd>
<dt>Protection</dt><dd>${escapeHtml(resolver)}; second sandbox ${escapeHtml(secondWall)}</dd>
<dt>Version</dt><dd>${escapeHtml(version)}</dd>
</dl>
<h2 id="connect">Connect an agent</h2>
${renderConfigs(overview)}
${overview.token === undefined ? '<p class="bad">No token is required: every program on this machine can use these tools.</p>' : '<p>The token is a password for these directories. It is kept in a file that only you can read.</p>'}
<h2>Recent activity</h2>
<div class="panel" id="activity" aria-live="polite">${renderRecent(overview)}</div>`;
}

function renderConfigs(overview: Overview): string {
  const configs = clientConfigs(overview);
  const { token } = overview;
  // Hidden from a shared screen. The copy button copies the whole text.
  const masked = (text: string) => (token === undefined ? text : text.replaceAll(token, 'croft_…'));
  const reveal = token === undefined ? '' : '<button type="button" class="copy" data-reveal>Show token</button> ';
  const tabs = configs.map(
    ({ id, client }, i) =>
      `<button type="button" role="tab" id="tab-${id}" aria-controls="config-${id}" aria-selected="${i === 0}" tabindex="${i === 0 ? 0 : -1}">${escapeHtml(client)}</button>`,
  );
  const panels = configs.map(
    ({ id, where, text }, i) =>
      `<div class="config" role="tabpanel" id="config-${id}" aria-labelledby="tab-${id}"${i === 0 ? '' : ' hidden'}><div class="top"><span>${escapeHtml(where)}</span><span class="buttons">${reveal}<button type="button" class="copy" data-copy="text-${id}">Copy</button></span></div><pre tabindex="0" id="text-${id}" data-text="${escapeHtml(text)}">${escapeHtml(masked(text))}</pre></div>`,
  );
  return `<div class="panel"><div class="tabs" role="tablist" aria-labelledby="connect">${tabs.join('')}</div>${panels.join('')}</div>`;
}

function codes(commands: readonly string[]): string {
  return commands.map((command) => `<code>${escapeHtml(command)}</code>`).join(' or ');
}

/** The newest calls as a fragment the page can fetch again. */
export function renderRecent({ recent, advice }: Pick<Overview, 'recent' | 'advice'>): string {
  if (recent.length === 0) {
    return `<p class="empty">No agent has called a tool yet. Their calls appear here and in ${codes(advice.map(({ log }) => log))}.</p>`;
  }
  const rows = recent.map(({ time, tool, outcome, what }) => {
    const problem = outcome === 'ok' ? '' : ` <span class="bad">${escapeHtml(outcome)}</span>`;
    const at = `<time datetime="${escapeHtml(time)}">${escapeHtml(time.slice(11, 19))}</time>`;
    return `<tr><td class="time">${at}</td><td class="tool">${escapeHtml(tool)}</td><td>${escapeHtml(what || '.')}${problem}</td></tr>`;
  });
  return `<table><tbody>${rows.join('')}</tbody></table>`;
}
