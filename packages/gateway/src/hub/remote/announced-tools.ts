import { announcedToolSchema, type AnnouncedTool, FRAME_LIMITS } from '../../frames.ts';
import { cleanSchema, cleanTitle, cleanText, isPlainName } from './machine-text.ts';

/**
 * The tools that a machine announced, as one string: most machines are idle, and as objects the schemas would be their
 * largest data. Empty if there are none.
 */
export type Announced = string;

/** Size limit of all announced tools of one machine, in characters. */
const MAX_TOTAL_CHARS = 1024 * 1024;
/**
 * Depth limit of a schema. Deeper ones do not occur in real tools and overflow the stack of a program that walks them.
 */
const MAX_SCHEMA_LEVELS = 64;
/** Tool names that model providers accept. */
const NAME = new RegExp(`^[A-Za-z0-9_-]{1,${FRAME_LIMITS.maxToolNameChars}}$`);

/**
 * Keeps the tools that can be offered to a model: a plain name, without duplicates, with an object schema of bounded
 * size. Leaves out the rest, because one invalid tool is not a reason to refuse a machine.
 *
 * @param wanted whether to keep a tool, by its name
 */
export function packAnnounced(tools: readonly unknown[], wanted: (name: string) => boolean): Announced {
  const work = packingAnnounced(tools, wanted);
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}

/** The same, as a generator that yields after each tool. */
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

/** The tools as stored. */
export function unpackAnnounced(packed: Announced): readonly AnnouncedTool[] {
  return packed === '' ? [] : (JSON.parse(packed) as AnnouncedTool[]);
}

function packOne({ name, title, description, inputSchema, annotations }: AnnouncedTool): string | undefined {
  // An `id` would be registered globally in this process, where it could replace another machine's.
  const { id: _, ...schema } = inputSchema ?? { type: 'object' };
  if (schema.type !== undefined && schema.type !== 'object') return undefined;
  if (!isFit(schema, MAX_SCHEMA_LEVELS)) return undefined;
  if (JSON.stringify(schema).length > FRAME_LIMITS.maxToolSchemaBytes) return undefined;
  const hints = Object.entries(annotations ?? {}).filter(([, value]) => typeof value === 'boolean');
  return JSON.stringify({
    name,
    title: cleanTitle(title ?? annotations?.title ?? name),
    description: cleanText(description ?? '', FRAME_LIMITS.maxToolDescriptionChars),
    inputSchema: { ...cleanSchema(schema), type: 'object' },
    annotations: Object.fromEntries(hints),
  });
}

/**
 * Whether a schema can be offered: not too deep, not too large as far as can be estimated, and without names that
 * contain hidden characters. Works level by level, so that depth costs no stack, and stops at the size limit, so that a
 * huge schema costs no time.
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
        // Every element takes at least two characters, with its comma.
        room -= 2 + (typeof value === 'string' ? value.length : 0) + (Array.isArray(one) ? 0 : key.length);
        if (room < 0 || !(Array.isArray(one) || isPlainName(key))) return false;
        if (typeof value === 'object' && value !== null) below.push(value);
      }
    level = below;
  }
  return true;
}
