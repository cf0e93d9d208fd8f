import { announcedToolSchema, type AnnouncedTool, FRAME_LIMITS } from '../../frames.ts';
import { cleanSchema, cleanTitle, cleanWords, isPlainName } from './machine-words.ts';

/**
 * The tools a machine announced, as one string: most machines wait most of the time, and schemas as objects would be
 * the largest thing kept of them. Empty where there are none.
 */
export type Announced = string;

/** What all announced tools of one machine may take together. */
const MAX_TOTAL_CHARS = 1024 * 1024;
/** Levels of a schema. Deeper ones are no tool's, and end a program that walks them in an overflow of its stack. */
const MAX_SCHEMA_LEVELS = 64;
/** What hosts of models accept as the name of a tool. */
const NAME = new RegExp(`^[A-Za-z0-9_-]{1,${FRAME_LIMITS.maxToolNameChars}}$`);

/**
 * Takes what can be offered to a model: a plain name, once, with an object schema of bounded size. The rest is left
 * out, because one odd tool is no reason to refuse a machine.
 *
 * @param wanted keeps a tool by its name
 */
export function packAnnounced(tools: readonly unknown[], wanted: (name: string) => boolean): Announced {
  const work = packingAnnounced(tools, wanted);
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}

/** The same, tool by tool, for whoever has to give way to others in between. */
export function* packingAnnounced(
  tools: readonly unknown[],
  wanted: (name: string) => boolean,
): Generator<void, Announced> {
  const kept: string[] = [];
  const names = new Set<string>();
  let chars = 0;
  for (const given of tools) {
    if (kept.length >= FRAME_LIMITS.maxTools) break;
    yield;
    const parsed = announcedToolSchema.safeParse(given);
    if (!parsed.success || !NAME.test(parsed.data.name) || names.has(parsed.data.name) || !wanted(parsed.data.name))
      continue;
    const text = packOne(parsed.data);
    if (text === undefined || chars + text.length > MAX_TOTAL_CHARS) continue;
    names.add(parsed.data.name);
    chars += text.length;
    kept.push(text);
  }
  return kept.length === 0 ? '' : `[${kept.join(',')}]`;
}

/** The tools again, as they were kept. */
export function unpackAnnounced(packed: Announced): readonly AnnouncedTool[] {
  return packed === '' ? [] : (JSON.parse(packed) as AnnouncedTool[]);
}

function packOne({ name, title, description, inputSchema, annotations }: AnnouncedTool): string | undefined {
  // An `id` would be entered in a list of the whole process, where one machine's could stand for another's.
  const { id: _, ...schema } = inputSchema ?? { type: 'object' };
  if (schema.type !== undefined && schema.type !== 'object') return undefined;
  if (!isFit(schema, MAX_SCHEMA_LEVELS)) return undefined;
  if (JSON.stringify(schema).length > FRAME_LIMITS.maxToolSchemaBytes) return undefined;
  const hints = Object.entries(annotations ?? {}).filter(([, value]) => typeof value === 'boolean');
  return JSON.stringify({
    name,
    title: cleanTitle(title ?? annotations?.title ?? name),
    description: cleanWords(description ?? '', FRAME_LIMITS.maxToolDescriptionChars),
    inputSchema: { ...cleanSchema(schema), type: 'object' },
    annotations: Object.fromEntries(hints),
  });
}

/**
 * Whether a schema is worth writing out: neither too deep nor, as far as that can be seen, too large, and without names
 * that hide something. Level by level, so that depth costs no stack, and no further than its size allows, so that a huge
 * one costs no time.
 */
function isFit(schema: object, maxLevels: number): boolean {
  let room: number = FRAME_LIMITS.maxToolSchemaBytes;
  let level: object[] = [schema];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxLevels) return false;
    const below: object[] = [];
    for (const one of level)
      for (const key in one) {
        const value = (one as Record<string, unknown>)[key];
        // Every element takes two characters at least, with its comma.
        room -= 2 + (typeof value === 'string' ? value.length : 0) + (Array.isArray(one) ? 0 : key.length);
        if (room < 0 || !(Array.isArray(one) || isPlainName(key))) return false;
        if (typeof value === 'object' && value !== null) below.push(value);
      }
    level = below;
  }
  return true;
}
