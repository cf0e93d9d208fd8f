import { builtinRegistry } from '@croft/components';
import { beforeEach, describe, expect, it } from 'vitest';
import { createComponentWriter } from './component-writer.ts';

const code = (name: string) =>
  `export class ${name} extends Component {\n  outputs = [{ name: 'o', types: ['Message'], method: 'run' }];\n  run() { return 'x'; }\n}\n`;
const author = { userId: 'ann', via: 'assistant', client: null } as const;
let calls: unknown[][];
let generated: Record<string, { code: string; coversSaved: boolean }>;
beforeEach(() => {
  calls = [];
  generated = { Mine: { code: 'kept', coversSaved: true } };
});
const writer = () =>
  createComponentWriter(
    {
      flowComponents: { builtins: builtinRegistry() },
      userComponents: {
        list: async () => ({
          components: [
            { className: 'Saved', origin: 'saved' },
            { className: 'Draft', origin: 'generated' },
          ],
          skipped: [],
        }),
        readGenerated: async (...[, name]: [string, string, string]) => generated[name],
        generate: async (...args: unknown[]) => void calls.push(['generate', ...args]),
        save: async (...args: unknown[]) => void calls.push(['save', ...args]),
      },
    } as never,
    author as never,
    'session',
  );
const { signal } = new AbortController();

describe('a component that the assistant writes', () => {
  it('is tried and kept for the conversation under the name of its class', async () => {
    const made = await writer().generate(code('Fresh'), signal);
    expect(made).toMatchObject({ className: 'Fresh', entry: { descriptor: { type: 'Fresh' } } });
    expect(calls).toEqual([['generate', author, 'Fresh', code('Fresh'), 'session']]);
  });

  it('is refused with the line of each problem and a fix', async () => {
    const { problems } = (await writer().generate('export class A extends Component {\n  outputs = [;\n}', signal)) as {
      problems: string[];
    };
    expect(problems[0]).toMatch(/^Line 2: .+\. .+/);
    expect(calls).toEqual([]);
  });

  it('does not take the name of a built-in one', async () => {
    expect(await writer().generate(code('ChatInput'), signal)).toEqual({
      problems: ["'ChatInput' is a built-in component. Give the class another name."],
    });
    expect(calls).toEqual([]);
  });

  it('may replace a saved one', async () => {
    expect(await writer().replacesSaved('Mine')).toBe(true);
    generated['Mine'] = { code: 'kept', coversSaved: false };
    expect(await writer().replacesSaved('Mine')).toBe(false);
    expect(await writer().replacesSaved('None')).toBe(false);
  });

  it('is saved as it was generated, or was saved already', async () => {
    expect(await writer().save('Mine')).toBe(true);
    expect(calls).toEqual([['save', author, 'Mine', 'kept', 'session']]);
    expect(await writer().save('Saved')).toBe(true);
    expect(await writer().save('Draft')).toBe(false);
    expect(await writer().save('None')).toBe(false);
    expect(calls).toHaveLength(1);
  });
});
