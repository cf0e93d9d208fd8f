import type { MediaContent } from '@croft/tools';

/** A media type as in RFC 9110; longer ones do not occur. */
const MEDIA_TYPE = /^[A-Za-z0-9!#$&^_.+-]{1,127}\/[A-Za-z0-9!#$&^_.+-]{1,127}(?:;[\x20-\x7e]{0,200})?$/;

/** The media of a machine that a client of MCP accepts. */
export interface CheckedMedia {
  readonly kept: readonly MediaContent[];
  /** How many were left out. */
  readonly dropped: number;
}

/**
 * Keeps media with valid base64 and a media type of their kind. A client of MCP checks results, and one invalid image
 * would end the whole call with −32602, the text included.
 */
export function checkMedia(media: readonly MediaContent[]): CheckedMedia {
  const kept = media.flatMap((one) => {
    const data = plainBase64(one.data);
    if (data === undefined || !MEDIA_TYPE.test(one.mimeType)) return [];
    if (one.type !== 'resource' && !one.mimeType.toLowerCase().startsWith(`${one.type}/`)) return [];
    return [{ ...one, data }];
  });
  return { kept, dropped: media.length - kept.length };
}

/** Base64 without line breaks, which some encoders write; `undefined` if it is not valid. Searches, because a repeated group overflows on 16 MB. */
function plainBase64(text: string): string | undefined {
  const data = /\s/.test(text) ? text.replace(/\s+/g, '') : text;
  const end = data.search(/[^A-Za-z0-9+/]/);
  const isPadded = end === -1 || (end >= data.length - 2 && /^={1,2}$/.test(data.slice(end)));
  return data.length > 0 && data.length % 4 === 0 && isPadded ? data : undefined;
}
