import { describe, expect, it } from 'vitest';
import { allowAll, blockOutside, firstChange, openStream, play } from '../testing.ts';
import { openaiResponses } from './openai-responses.ts';
import {
  applyPatch,
  call,
  customCall,
  eventsOf,
  localShell,
  PASSING,
  reasoning,
  shell,
  sseOf,
  type TestItem,
  text,
} from './testing.ts';

const FINE = '{"path":"a.ts"}';

const STREAMS: Record<string, Buffer> = {
  text: sseOf(eventsOf('r', [text('m', 'Héllo "function_call" w\u0007')])),
  'reasoning, text and a call': sseOf(eventsOf('r', [reasoning('rs'), text('m', 'I write.'), call('1', FINE)])),
  'CRLF, parallel calls and text': sseOf(eventsOf('r', [call('1', FINE), text('m', 'and'), call('2', '{}')]), '\r\n'),
  'a custom tool': sseOf(eventsOf('r', [customCall('1', '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch')])),
  'shells and a patch': sseOf(
    eventsOf('r', [localShell('1', ['ls', '-a']), shell('2', ['ls', 'pwd']), applyPatch('3', 'a.ts')]),
  ),
  'what runs upstream': sseOf(eventsOf('r', PASSING)),
  'a call in the last snapshot alone': sseOf(
    eventsOf('r', [call('1', FINE)]).filter((event) => !('output_index' in event)),
  ),
  'a call in output_item.done alone': sseOf(
    eventsOf('r', [call('1', FINE)]).filter(
      (event) => !('output_index' in event) || /item.done/.test(String(event.type)),
    ),
  ),
  'an empty last snapshot': sseOf(
    eventsOf('r', [call('1', FINE)]).map((event) =>
      /completed/.test(String(event.type)) ? { ...event, response: { id: 'r', output: [] } } : event,
    ),
  ),
  'no event names, no numbers, [DONE] and comments': Buffer.from(
    `: ping\n\n${eventsOf('r', [call('1', FINE)])
      .map((event) => `data: ${JSON.stringify({ ...event, sequence_number: undefined })}\n\n`)
      .join('')}data: [DONE]\n\n: bye\n\n`,
  ),
  'a call cut short': sseOf(
    eventsOf('r', [call('1', '{"path":"a')], {
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    }),
  ),
};

describe('a streamed response of which nothing is blocked', () => {
  it.each(Object.entries(STREAMS))('leaves byte for byte at every cut: %s', (_, bytes) =>
    expect(firstChange(() => openStream(openaiResponses, allowAll), bytes)).toBeUndefined(),
  );

  it('passes text before its end, and holds a call until its end and no longer', () => {
    const events = eventsOf('r', [text('m', 'Hello'), call('1', FINE), text('n', 'more')]);
    const run = openStream(openaiResponses, allowAll);
    const at = (place: number) => sseOf(events.slice(0, place));
    events.forEach((event, place) => {
      run.guard.push(sseOf([event]));
      const holds = place >= 9 && place < 13;
      expect(run.out().equals(at(holds ? 9 : place + 1)), String(place)).toBe(true);
    });
  });

  it.each<[string, TestItem, unknown]>([
    ['function_call', call('1', FINE), { name: 'write_file', arguments: FINE }],
    ['custom_tool_call', customCall('1', 'raw {'), { name: 'apply_patch', arguments: 'raw {', isText: true }],
    [
      'local_shell_call',
      localShell('1', ['ls']),
      { name: 'local_shell', arguments: localShell('1', ['ls']).item.action },
    ],
    ['shell_call', shell('1', ['ls', 'pwd']), { name: 'shell', arguments: shell('1', ['ls', 'pwd']).item.action }],
    [
      'apply_patch_call',
      applyPatch('1', 'a'),
      { name: 'apply_patch_call', arguments: applyPatch('1', 'a').item.operation },
    ],
    [
      'one of a kind to come',
      { item: { id: 'x', type: 'disk_call', call_id: 'c', path: '/etc/x' } },
      { name: 'disk_call', arguments: { path: '/etc/x' } },
    ],
  ])('is judged once for each call: %s', (_, item, expected) => {
    const run = openStream(openaiResponses, allowAll);
    play(run, [sseOf(eventsOf('r', [item]))]);
    expect(run.judged).toEqual([expected]);
  });

  it('is judged by the name with and without its namespace', () => {
    const { item, ...rest } = call('1', FINE, 'write');
    const run = openStream(openaiResponses, allowAll);
    play(run, [sseOf(eventsOf('r', [{ ...rest, item: { ...item, namespace: 'mcp__fs' } }]))]);
    expect(run.judged.map(({ name }) => name)).toEqual(['write', 'mcp__fs.write']);
  });

  it('is judged by nothing that ran upstream', () => {
    const run = openStream(openaiResponses, blockOutside);
    const bytes = STREAMS['what runs upstream'] as Buffer;
    expect(play(run, [bytes]).equals(bytes)).toBe(true);
    expect(run.judged).toEqual([]);
  });

  it('may begin in the middle of a call, as a stream that is taken up again does', () => {
    const bytes = sseOf(eventsOf('r', [call('1', FINE)]).slice(4));
    const run = openStream(openaiResponses, allowAll);
    expect(play(run, [bytes]).equals(bytes)).toBe(true);
    expect(run.judged).toEqual([{ name: 'write_file', arguments: FINE }]);
  });
});
