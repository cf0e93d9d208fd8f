// The parts of a PowerPoint file that are the same in each one: ECMA-376, Part 1, chapter 19.

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/presentationml/2006/main';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'application/vnd.openxmlformats-officedocument.presentationml';

export const NAMESPACES = `xmlns:a="${DRAWING}" xmlns:r="${RELATIONS}" xmlns:p="${MAIN}"`;

/** A file of relations: kind and target of each, with the ids rId1, rId2, … */
export const relations = (targets: readonly (readonly [string, string])[]): string =>
  `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
    .map(([kind, target], at) => `<Relationship Id="rId${at + 1}" Type="${RELATIONS}/${kind}" Target="${target}"/>`)
    .join('')}</Relationships>`;

export const contentTypes = (slides: number): string => {
  const parts = [
    ['/ppt/presentation.xml', 'presentation.main'],
    ['/ppt/slideMasters/slideMaster1.xml', 'slideMaster'],
    ['/ppt/slideLayouts/slideLayout1.xml', 'slideLayout'],
    ...Array.from({ length: slides }, (_, at) => [`/ppt/slides/slide${at + 1}.xml`, 'slide']),
  ];
  return `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${parts
    .map(([name, type]) => `<Override PartName="${name}" ContentType="${TYPES}.${type}+xml"/>`)
    .join(
      '',
    )}<Override PartName="/ppt/theme/theme1.xml" ContentType="application/vnd.openxmlformats-officedocument.theme+xml"/></Types>`;
};

/** The first relation is the master; the slides follow. */
export const presentation = (slides: number): string =>
  `${HEAD}<p:presentation ${NAMESPACES}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:sldIdLst>${Array.from(
    { length: slides },
    (_, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 2}"/>`,
  ).join('')}</p:sldIdLst><p:sldSz cx="12192000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`;

const TREE =
  '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>';

const BOXES = {
  title: '<a:off x="838200" y="365125"/><a:ext cx="10515600" cy="1325563"/>',
  body: '<a:off x="838200" y="1825625"/><a:ext cx="10515600" cy="4351338"/>',
} as const;

/** A title or a body; without paragraphs, the empty place for it. */
export function shape(
  kind: keyof typeof BOXES,
  id: number,
  paragraphs = '<a:p><a:endParaRPr lang="en"/></a:p>',
): string {
  const place = kind === 'title' ? '<p:ph type="title"/>' : '<p:ph type="body" idx="1"/>';
  return `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${kind} ${id}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr>${place}</p:nvPr></p:nvSpPr><p:spPr><a:xfrm>${BOXES[kind]}</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr><a:normAutofit/></a:bodyPr><a:lstStyle/>${paragraphs}</p:txBody></p:sp>`;
}

const data = (shapes: string): string => `<p:cSld><p:spTree>${TREE}${shapes}</p:spTree></p:cSld>`;

export const slide = (shapes: string): string =>
  `${HEAD}<p:sld ${NAMESPACES}>${data(shapes)}<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>`;

export const layout = `${HEAD}<p:sldLayout ${NAMESPACES} type="obj" preserve="1">${data(`${shape('title', 2)}${shape('body', 3)}`)}<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>`;

const levels = Array.from(
  { length: 9 },
  (_, at) =>
    `<a:lvl${at + 1}pPr marL="${228600 + at * 457200}" indent="-228600"><a:buFont typeface="Arial"/><a:buChar char="•"/><a:defRPr sz="${Math.max(1200, 2400 - at * 200)}"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill></a:defRPr></a:lvl${at + 1}pPr>`,
).join('');

export const master = `${HEAD}<p:sldMaster ${NAMESPACES}>${data(`${shape('title', 2)}${shape('body', 3)}`)}<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/><p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst><p:txStyles><p:titleStyle><a:lvl1pPr><a:buNone/><a:defRPr sz="4000"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill></a:defRPr></a:lvl1pPr></p:titleStyle><p:bodyStyle>${levels}</p:bodyStyle><p:otherStyle/></p:txStyles></p:sldMaster>`;

const color = (name: string, value: string): string => `<a:${name}><a:srgbClr val="${value}"/></a:${name}>`;
const COLORS = [
  ['dk1', '000000'],
  ['lt1', 'FFFFFF'],
  ['dk2', '44546A'],
  ['lt2', 'E7E6E6'],
  ['accent1', '4472C4'],
  ['accent2', 'ED7D31'],
  ['accent3', 'A5A5A5'],
  ['accent4', 'FFC000'],
  ['accent5', '5B9BD5'],
  ['accent6', '70AD47'],
  ['hlink', '0563C1'],
  ['folHlink', '954F72'],
] as const;
const FONT = '<a:latin typeface="Calibri"/><a:ea typeface=""/><a:cs typeface=""/>';
const FILL = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
const LINE = `<a:ln w="6350">${FILL}</a:ln>`;
const EFFECT = '<a:effectStyle><a:effectLst/></a:effectStyle>';

export const theme = `${HEAD}<a:theme xmlns:a="${DRAWING}" name="Croft"><a:themeElements><a:clrScheme name="Croft">${COLORS.map(([name, value]) => color(name, value)).join('')}</a:clrScheme><a:fontScheme name="Croft"><a:majorFont>${FONT}</a:majorFont><a:minorFont>${FONT}</a:minorFont></a:fontScheme><a:fmtScheme name="Croft"><a:fillStyleLst>${FILL.repeat(3)}</a:fillStyleLst><a:lnStyleLst>${LINE.repeat(3)}</a:lnStyleLst><a:effectStyleLst>${EFFECT.repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${FILL.repeat(3)}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`;
