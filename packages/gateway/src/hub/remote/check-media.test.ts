import { expect, it } from 'vitest';
import { checkMedia } from './check-media.ts';

const png = Buffer.from('a picture').toString('base64');

it('keeps valid media, and joins base64 that an encoder broke into lines', () => {
  const kept = [
    { type: 'image' as const, data: png, mimeType: 'image/png' },
    { type: 'audio' as const, data: png, mimeType: 'audio/ogg; codecs=opus' },
    { type: 'resource' as const, uri: 'file:///a', data: png, mimeType: 'application/pdf' },
  ];
  expect(checkMedia(kept)).toEqual({ kept, dropped: 0 });
  const broken = { type: 'image' as const, data: `${png.slice(0, 4)}\r\n${png.slice(4)}\n`, mimeType: 'image/png' };
  expect(checkMedia([broken]).kept).toEqual([kept[0]]);
});

it.each([
  ['no base64', 'image', '<svg/>', 'image/svg+xml'],
  ['base64 that is cut', 'image', png.slice(0, -1), 'image/png'],
  ['padding in the middle', 'image', 'AA==AAAA', 'image/png'],
  ['an empty picture', 'image', '', 'image/png'],
  ['no media type', 'image', png, ''],
  ['a media type with a line break', 'image', png, 'image/png\r\nx: y'],
  ['a page as a picture', 'image', png, 'text/html'],
  ['a picture as a sound', 'audio', png, 'image/png'],
] as const)('leaves out %s', (_, type, data, mimeType) => {
  expect(checkMedia([{ type, data, mimeType }])).toEqual({ kept: [], dropped: 1 });
});

it('accepts base64 with and without padding, and types of any case and length that occurs', () => {
  const name = 'a'.repeat(127);
  const rows = [
    ['AAAA', 'image/png', true],
    ['AA==', 'image/png', true],
    ['AAA=', 'IMAGE/PNG', true],
    ['A===', 'image/png', false],
    ['AAAA=', 'image/png', false],
    ['====', 'image/png', false],
    ['AA=A', 'image/png', false],
    ['AAAA', `image/${name}`, true],
    ['AAAA', `image/a${name}`, false],
    ['AAAA', `image/png;${'x'.repeat(200)}`, true],
    ['AAAA', `image/png;${'x'.repeat(201)}`, false],
    ['AAAA', 'imagepng', false],
  ] as const;
  for (const [data, mimeType, isKept] of rows) {
    const media = [{ type: 'image' as const, data, mimeType }];
    expect(checkMedia(media), `${data} ${mimeType}`).toEqual(
      isKept ? { kept: media, dropped: 0 } : { kept: [], dropped: 1 },
    );
  }
});
