import { useQuery } from '@tanstack/react-query';
import { CircleAlert, List, SquareTerminal } from 'lucide-react';
import { flowCommandsQuery } from '../api/flow-commands.ts';
import { meQuery } from '../api/me.ts';
import { Link } from '../routing/link.tsx';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/class-names.ts';
import { Spinner } from '../ui/spinner.tsx';
import { Callout } from '../ui/state.tsx';
import { spelledName } from '../ui/unseen-characters.ts';
import { SelectControl } from './choice-control.tsx';
import { argumentWords, type McpTools } from './mcp-tools.ts';
import { TextControl, type ValueControl } from './text-control.tsx';

/** A command: one of those that are allowed, for administrators; a text for others, whose runs start none. */
export function CommandControl(control: ValueControl<string>) {
  const { data: me } = useQuery(meQuery);
  const isAdmin = me?.user?.role === 'admin';
  const { data, error } = useQuery({ ...flowCommandsQuery, enabled: isAdmin });
  if (!me || (isAdmin && !data && !error)) return <TextControl {...control} disabled escaped={false} />;
  if (!data)
    return (
      <>
        <TextControl {...control} escaped={false} />
        <Callout tone="warn" icon={<SquareTerminal size={16} />}>
          {isAdmin
            ? 'The allowed commands cannot be listed now.'
            : 'Only runs of administrators start commands. Use the transport Streamable HTTP, or ask an administrator.'}
        </Callout>
      </>
    );
  const usable = data.commands.filter(({ isFound }) => isFound).map(({ command }) => command);
  const commands = [...new Set([...data.fixed, ...usable])];
  const isAllowed = control.value === '' || commands.includes(control.value);
  return (
    <div className="grid grid-cols-1 gap-2">
      {(commands.length > 0 || control.value !== '') && <SelectControl {...control} options={commands} />}
      <p className={cn('text-sm', isAllowed ? 'text-soft' : 'text-warn')}>
        {commands.length === 0 && 'No command is allowed on this server yet. '}
        {commands.length > 0 && !isAllowed && 'This command is not allowed. '}
        <Link to="/settings/workers" className="underline underline-offset-2">
          Allow a command
        </Link>{' '}
        in Settings → Workers.
      </p>
    </div>
  );
}

/** The tool of an MCP server: its name, or one of the list that the server gives on request. */
export function ToolControl({
  mcp: { server, tools, failure, isListing, list },
  placeholder,
  ...control
}: ValueControl<string> & { mcp: McpTools; placeholder: string | undefined }) {
  const { value, onValue, disabled } = control;
  const chosen = tools?.find(({ name }) => name === value);
  return (
    <div className="grid grid-cols-1 gap-2">
      <TextControl {...control} placeholder={placeholder} escaped={false} />
      {!disabled && (
        <Button small className="justify-self-start" disabled={!server || isListing} onClick={list}>
          {isListing ? <Spinner className="size-3.5" /> : <List size={14} aria-hidden="true" />} List the tools of the
          server
        </Button>
      )}
      <div role="status" className="grid grid-cols-1 gap-2 text-sm empty:hidden">
        {failure !== undefined && !isListing && (
          <Callout tone="bad" icon={<CircleAlert size={16} />}>
            {spelledName(failure)}
          </Callout>
        )}
        {tools?.length === 0 && <p className="text-soft">The server has no tools.</p>}
        {tools && tools.length > 0 && value !== '' && !chosen && (
          <p className="text-warn">The server has no tool of this name.</p>
        )}
        {chosen && <p className="text-soft [overflow-wrap:anywhere]">Arguments: {spelledName(argumentText(chosen))}</p>}
      </div>
      {tools && tools.length > 0 && (
        <ul
          aria-label="Tools of the server"
          className="grid max-h-64 grid-cols-1 overflow-y-auto rounded-md border border-line"
        >
          {tools.map(({ name, description }) => (
            <li key={name} className="border-b border-line last:border-0">
              <button
                type="button"
                disabled={disabled}
                aria-pressed={name === value}
                onClick={() => onValue(name === value ? '' : name)}
                className={cn(
                  'grid w-full grid-cols-1 px-3 py-2 text-left text-sm focus-visible:-outline-offset-2 hovered:bg-hover',
                  name === value && 'bg-selected',
                )}
              >
                <span className="font-mono [overflow-wrap:anywhere]">{spelledName(name)}</span>
                <span className="line-clamp-2 text-soft [overflow-wrap:anywhere]">
                  {spelledName(description, true)}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function argumentText(tool: Parameters<typeof argumentWords>[0]): string {
  const words = argumentWords(tool);
  return words.length === 0 ? 'none that are known' : words.join(', ');
}
