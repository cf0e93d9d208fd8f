import { ANY } from './marks.ts';
import { place, list, type Named } from './powershell-arguments.ts';
import { type Session, HERE } from './powershell-session.ts';
import type { Token } from './powershell-tokens.ts';

/** Cmdlets that create files under the names of their sources. */
export const PUTS =
  /^(?:copy-item|copy|cp|cpi|move-item|move|mv|mi|expand-archive|start-bitstransfer|invoke-webrequest|iwr|wget|curl|invoke-restmethod|irm|save-module|save-script)$/;

/** Records the files that appear in a directory under the names of the sources, or under unknown names. */
export function putFiles(name: string, named: readonly Named[], positions: readonly Token[], session: Session): void {
  const { state, reader, variables, fed } = session;
  const value = (full: string): Token[] =>
    named.filter((one) => full.split(' ').some((each) => each.startsWith(one.name))).flatMap((one) => list(one.value));
  const isArchive = name === 'expand-archive';
  const places = [...positions];
  const sources = value('path literalpath lp pspath source uri');
  if (sources.length === 0) sources.push(...list(places.shift()));
  const targets = value('destination destinationpath outfile');
  if (targets.length === 0 && /^(?:copy|cp|cpi|move|mv|mi|expand|start|copy-item|move-item)/.test(name))
    targets.push(...places.slice(-1));
  if (targets.length === 0 && fed === 'open' && !isArchive)
    reader.undecidable(`It is not known where '${name}' puts files.`);
  // Without a destination an archive unpacks to a directory of its own name, and a file is copied to the current
  // directory.
  if (targets.length === 0 && /^(?:copy|cp|cpi|move|mv|mi|start)/.test(name)) targets.push(HERE);
  for (const target of targets) {
    const to = place(target.text, target.written, state, variables);
    if (isArchive) {
      reader.write(state, to, 'fills');
      continue;
    }
    const isDeep = session.isDeep || name.startsWith('m');
    if (fed !== undefined && sources.length === 0) reader.write(state, to, 'fills');
    for (const source of sources) {
      const from = place(source.text, source.written, state, variables);
      const base =
        from.value
          .replace(/[?#].*$/, '')
          .replace(/(?<![\\/])[\\/]+$/, '')
          .split(/[\\/]/)
          .at(-1) ?? '';
      if (base === '' || base === '.' || base.includes(ANY)) reader.write(state, to, 'fills');
      else {
        const slash = /[\\/]$/.test(to.value) ? '' : '/';
        reader.write(
          state,
          { value: `${to.value}${slash}${base}`, written: `${target.written}/${base}` },
          isDeep ? 'replaces' : 'appears',
        );
      }
      if (isDeep) reader.write(state, to, 'replaces');
    }
  }
}
