import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtinRegistry } from '@croft/components';
import { type Edit, emptyFlow, type FlowNode, printFlow } from '@croft/flow';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { flowFromText } from '../compose/read-flow-file.ts';
import { createFileCanvas, ForModel } from './file-canvas.ts';

const registry = builtinRegistry();
const TEXT = 'name: Small\nnodes:\n  I: ChatInput\n';
const node = (id: string): FlowNode => ({ id, type: 'ChatInput', position: { x: 0, y: 0 }, values: {} });
const add = (id: string): Edit => ({ kind: 'add_component', node: node(id) });
const remove = (id: string): Edit => ({ kind: 'remove_component', id });

let dir: string;
let file: string;
let asked: string[];
let allows: boolean;
let whileAsking: () => void;

beforeEach(() => {
  dir = testDir();
  file = join(dir, 'flow.json');
  [asked, allows, whileAsking] = [[], true, () => {}];
});

const canvas = () =>
  createFileCanvas({
    file,
    read: async (text) => flowFromText('flow.json', text, registry),
    async confirm(what) {
      asked.push(what);
      whileAsking();
      return allows;
    },
  });
const ids = ({ flow }: { readonly flow: { readonly nodes: readonly FlowNode[] } }) => flow.nodes.map(({ id }) => id);
const stored = () => ids({ flow: flowFromText('flow.json', readFileSync(file, 'utf8'), registry) });
const withNodes = (...nodes: string[]) => printFlow({ ...emptyFlow(), nodes: nodes.map(node) });

describe('a flow in a file', () => {
  it('is empty while the file is missing, and is made by the first change', async () => {
    const made = canvas();
    expect(made.builtFlowReplaces).toBe(true);
    expect(await made.read()).toEqual({ flow: emptyFlow(), version: 1 });
    expect(await made.read()).toMatchObject({ version: 1 });
    expect(existsSync(file)).toBe(false);
    const after = await made.edit(1, [add('a')]);
    expect([after.version, ids(after), stored()]).toEqual([2, ['a'], ['a']]);
    expect(readdirSync(dir)).toEqual(['flow.json']);
  });

  it('is read again where another program changed it', async () => {
    const made = canvas();
    await made.edit(0, [add('a')]);
    writeFileSync(file, withNodes('x'));
    expect(await made.read()).toMatchObject({ version: 3 });
    expect(ids(await made.edit(3, [add('b')]))).toEqual(['x', 'b']);
  });

  it('stays text while the text form can hold it', async () => {
    writeFileSync(file, TEXT);
    const made = canvas();
    await made.edit(0, [add('O')]);
    expect(readFileSync(file, 'utf8')).toMatch(/^name: Small\n[^]*O: ChatInput/);
    await made.edit(0, [{ kind: 'rename', id: 'O', name: 'Out' }]);
    expect(JSON.parse(readFileSync(file, 'utf8')).nodes).toHaveLength(2);
    await made.edit(0, [{ kind: 'rename', id: 'O', name: null }]);
    expect(readFileSync(file, 'utf8')).toMatch(/^\{/);
  });

  const size = { position: { x: 0, y: 0 }, size: { width: 10, height: 10 } };
  it.each<[string, Edit]>([
    ['a note', { kind: 'set_note', note: { id: 'n', text: 't', ...size } as never }],
    ['code', { kind: 'set_code', id: 'I', code: 'x' }],
    ['a fixed output', { kind: 'pin_output', id: 'I', output: 'message', value: 'x' }],
    ['run options', { kind: 'set_run_options', id: 'I', run: { retries: 2 } as never }],
    ['a group', { kind: 'set_group', group: { id: 'g', title: 't', nodes: ['I'], collapsed: false } as never }],
  ])('becomes JSON with %s', async (_, edit) => {
    writeFileSync(file, TEXT);
    await canvas().edit(0, [edit]);
    expect(readFileSync(file, 'utf8')).toMatch(/^\{/);
  });

  it('is unchanged where it cannot be written, and the message says what to do', async () => {
    file = join(dir, 'none', 'flow.json');
    await expect(canvas().edit(0, [add('a')])).rejects.toThrow(
      'flow.json cannot be written: No such file or directory. Nothing was changed. Make it and its directory writable, or name another file: croft chat other.json.',
    );
  });

  it('leaves no partial file where the rename fails', async () => {
    const made = canvas();
    const edits = made.edit(0, [add('a')]);
    mkdirSync(join(file, 'full'), { recursive: true });
    await expect(edits).rejects.toThrow();
    expect(readdirSync(dir)).toEqual(['flow.json']);
  });

  it('refuses what is not a file', async () => {
    mkdirSync(file);
    const failure = await canvas()
      .read()
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ForModel);
    expect(failure).toMatchObject({
      forModel: true,
      forPerson: undefined,
      message: expect.stringMatching(/^flow\.json: cannot be read: .*directory/i) as string,
    });
  });
});

describe('an edit that removes components', () => {
  beforeEach(() => writeFileSync(file, withNodes('a', 'b', 'c')));

  it('asks with their names', async () => {
    const made = canvas();
    const flow = { ...emptyFlow(), nodes: [node('c'), node('d')] };
    await made.edit(0, [add('x')]);
    expect(asked).toEqual([]);
    await made.edit(0, [{ kind: 'batch', edits: [remove('a'), remove('x')] }]);
    await made.edit(0, [{ kind: 'set_flow', flow }]);
    expect(asked).toEqual(['remove a, x', 'remove b']);
    expect(stored()).toEqual(['c', 'd']);
  });

  it('is not made without a yes', async () => {
    allows = false;
    await expect(canvas().edit(0, [remove('a')])).rejects.toMatchObject({
      message: 'The user did not allow this: remove a. Do not try again; go on without it, or ask.',
      forPerson:
        'Not done, because you did not allow it: remove a. Allow it with --yes, or name another file: croft chat other.json.',
    });
    expect(stored()).toEqual(['a', 'b', 'c']);
  });

  it('is applied to the file as it is after the answer', async () => {
    whileAsking = () => writeFileSync(file, withNodes('a', 'z'));
    expect(ids(await canvas().edit(0, [remove('a')]))).toEqual(['z']);
  });
});

describe('an exact edit', () => {
  it('is made only in the version that it names', async () => {
    const made = canvas();
    await made.read();
    expect(await made.editExactly(2, [add('a')])).toBeUndefined();
    expect(await made.editExactly(1, [add('a')])).toMatchObject({ version: 2 });
    expect(await made.editExactly(1, [add('b')])).toBeUndefined();
    expect(stored()).toEqual(['a']);
  });

  it('is not made where the file changed during the question, or without a yes', async () => {
    writeFileSync(file, withNodes('a'));
    const made = canvas();
    await made.read();
    whileAsking = () => writeFileSync(file, withNodes('a', 'z'));
    expect(await made.editExactly(1, [remove('a')])).toBeUndefined();
    expect([asked, stored()]).toEqual([['remove a'], ['a', 'z']]);
    allows = false;
    await expect(made.editExactly(2, [remove('a')])).rejects.toThrow('did not allow');
  });
});

describe('undo', () => {
  it('takes back the edits of a turn together, turn by turn', async () => {
    const made = canvas();
    await expect(made.undo()).rejects.toThrow('There is nothing to undo in this chat.');
    await made.edit(0, [add('a')]);
    made.endTurn();
    await made.edit(0, [add('b')]);
    await made.edit(0, [add('c')]);
    made.endTurn();
    expect(ids(await made.undo())).toEqual(['a']);
    expect(stored()).toEqual(['a']);
    expect(ids(await made.undo())).toEqual([]);
    await expect(made.undo()).rejects.toThrow(ForModel);
  });
});

describe('the copy from before the chat', () => {
  it('is made once, and not for a missing file', async () => {
    expect(await canvas().checkpoint()).toBe(`${file}.before-chat`);
    expect(readdirSync(dir)).toEqual([]);
    writeFileSync(file, 'one');
    const made = canvas();
    expect(await made.checkpoint()).toBe(`${file}.before-chat`);
    writeFileSync(file, 'two');
    expect(await made.checkpoint()).toBe(`${file}.before-chat`);
    expect(readFileSync(`${file}.before-chat`, 'utf8')).toBe('one');
  });

  it('is beside those of earlier chats, and the same text has one copy', async () => {
    for (const text of ['one', 'two', 'one', 'three']) {
      writeFileSync(file, text);
      await canvas().checkpoint();
    }
    expect(readdirSync(dir)).toEqual([
      'flow.json',
      'flow.json.before-chat',
      'flow.json.before-chat-2',
      'flow.json.before-chat-3',
    ]);
    expect(readFileSync(`${file}.before-chat-3`, 'utf8')).toBe('three');
  });
});
