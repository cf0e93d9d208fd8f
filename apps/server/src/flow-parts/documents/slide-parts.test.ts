import { expect, it } from 'vitest';
import {
  contentTypes,
  layout,
  master,
  NAMESPACES,
  presentation,
  relations,
  shape,
  slide,
  theme,
} from './slide-parts.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

it('numbers relations from rId1', () => {
  expect(
    relations([
      ['slideMaster', 'a.xml'],
      ['slide', 'b.xml'],
    ]),
  ).toBe(
    `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${RELATIONS}/slideMaster" Target="a.xml"/><Relationship Id="rId2" Type="${RELATIONS}/slide" Target="b.xml"/></Relationships>`,
  );
});

it('lists the type of each part and of each slide', () => {
  const main = 'application/vnd.openxmlformats-officedocument.presentationml';
  const types = [...contentTypes(2).matchAll(/PartName="([^"]+)" ContentType="([^"]+)"/g)].map(([, ...pair]) => pair);
  expect(types).toEqual([
    ['/ppt/presentation.xml', `${main}.presentation.main+xml`],
    ['/ppt/slideMasters/slideMaster1.xml', `${main}.slideMaster+xml`],
    ['/ppt/slideLayouts/slideLayout1.xml', `${main}.slideLayout+xml`],
    ['/ppt/slides/slide1.xml', `${main}.slide+xml`],
    ['/ppt/slides/slide2.xml', `${main}.slide+xml`],
    ['/ppt/theme/theme1.xml', 'application/vnd.openxmlformats-officedocument.theme+xml'],
  ]);
  expect(contentTypes(0)).toContain(
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>',
  );
});

it('puts the master before the slides in a presentation', () => {
  expect(presentation(2)).toBe(
    `${HEAD}<p:presentation ${NAMESPACES}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:sldIdLst><p:sldId id="256" r:id="rId2"/><p:sldId id="257" r:id="rId3"/></p:sldIdLst><p:sldSz cx="12192000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`,
  );
});

it('places a title above a body', () => {
  const title = shape('title', 2);
  expect(title).toContain('<p:cNvPr id="2" name="title 2"/>');
  expect(title).toContain('<p:ph type="title"/>');
  expect(title).toContain('<a:off x="838200" y="365125"/><a:ext cx="10515600" cy="1325563"/>');
  expect(title).toContain('<a:lstStyle/><a:p><a:endParaRPr lang="en"/></a:p></p:txBody>');
  const body = shape('body', 3, '<a:p>x</a:p>');
  expect(body).toContain('<p:ph type="body" idx="1"/>');
  expect(body).toContain('<a:off x="838200" y="1825625"/><a:ext cx="10515600" cy="4351338"/>');
  expect(body).toContain('<a:lstStyle/><a:p>x</a:p></p:txBody>');
});

it('gives slide, layout and master a title and a body', () => {
  expect(slide('SHAPES')).toMatch(
    /^<\?xml [^]*<p:sld [^]*<\/p:grpSpPr>SHAPES<\/p:spTree><\/p:cSld><p:clrMapOvr><a:masterClrMapping\/><\/p:clrMapOvr><\/p:sld>$/,
  );
  for (const part of [layout, master]) expect(part).toContain(shape('title', 2) + shape('body', 3));
  expect(layout).toContain(' type="obj" preserve="1">');
  expect(master).toContain('<p:sldLayoutId id="2147483649" r:id="rId1"/>');
});

it('has nine levels, each further in and smaller, down to 12 points', () => {
  const levels = [...master.matchAll(/<a:lvl(\d)pPr marL="(\d+)" indent="-228600">.*?sz="(\d+)"/g)];
  expect(levels.map(([, ...parts]) => parts.map(Number))).toEqual([
    [1, 228_600, 2400],
    [2, 685_800, 2200],
    [3, 1_143_000, 2000],
    [4, 1_600_200, 1800],
    [5, 2_057_400, 1600],
    [6, 2_514_600, 1400],
    [7, 2_971_800, 1200],
    [8, 3_429_000, 1200],
    [9, 3_886_200, 1200],
  ]);
});

it('has twelve colours and three of each style', () => {
  expect(
    [...theme.matchAll(/<a:(\w+)><a:srgbClr val="(\w{6})"\/><\/a:\1>/g)].map(([, ...colour]) => colour.join(' ')),
  ).toEqual([
    'dk1 000000',
    'lt1 FFFFFF',
    'dk2 44546A',
    'lt2 E7E6E6',
    'accent1 4472C4',
    'accent2 ED7D31',
    'accent3 A5A5A5',
    'accent4 FFC000',
    'accent5 5B9BD5',
    'accent6 70AD47',
    'hlink 0563C1',
    'folHlink 954F72',
  ]);
  expect(theme.match(/<a:ln w="6350">/g)).toHaveLength(3);
  expect(theme.match(/<a:effectStyle>/g)).toHaveLength(3);
  expect(theme.match(/<a:schemeClr val="phClr"\/>/g)).toHaveLength(9);
  expect(theme.match(/<a:latin typeface="Calibri"\/>/g)).toHaveLength(2);
});
