import { crc32, deflateSync } from 'node:zlib';

/** Files to try the studio with: a few of each kind. */
export function sampleFiles(): Record<string, Buffer | string> {
  const long = Array.from({ length: 400 }, (_, index) => `${index + 1} beans in row ${Math.floor(index / 20) + 1}`);
  return {
    'README.md': README,
    'garden-plan.png': png(320, 200),
    'harvest.csv': `crop,bed,kilograms\npotatoes,north,84\nkale,south,31\nbeans,south,27\n`,
    'field-notes.txt': `${long.join('\n')}\nThe last row was eaten by hares.\n`,
    'seeds.bin': Buffer.from(Array.from({ length: 4_096 }, (_, index) => index % 256)),
    'empty.txt': '',
    'projects/rotation/plan.ts':
      "/** Which bed gets what, year by year. */\nexport const rotation = ['potatoes', 'kale', 'beans', 'fallow'];\n",
    'projects/rotation/notes.md': '# Rotation\n\nFour beds, four years. See [the plan](plan.ts).\n',
    'projects/fence/quote.txt': 'Forty larch posts, wire, two gates.\n',
    'projects/a folder with quite a long name that has to be cut somewhere/x.txt': 'x\n',
    'scripts/count.py':
      'import csv\n\nprint(sum(float(row["kilograms"]) for row in csv.DictReader(open("harvest.csv"))))\n',
  };
}

const README = `# The croft

A small enclosed field: **room to work, a wall around it**. [The rotation plan](projects/rotation/plan.ts) lists the crops of each bed,
[the harvest](harvest.csv) their yield.

![The plan of the garden](garden-plan.png)

## This year

- [x] repair the north wall
- [ ] sow kale
- [ ] new gate, see \`projects/fence/quote.txt\`

| bed | crop | sown |
|---|---|---|
| north | potatoes | April |
| south | kale, beans | May |

> Good fences make good neighbours.

\`\`\`sh
python scripts/count.py
\`\`\`

<script>document.title = 'taken'</script><img src="https://example.invalid/spy.png" onerror="document.title='taken'">
`;

/** A picture of beds in a field, drawn here so that no binary file is needed. */
export function png(width: number, height: number): Buffer {
  const rows: number[] = [];
  for (let y = 0; y < height; y++) {
    rows.push(0);
    for (let x = 0; x < width; x++) {
      const isPath = x % 80 < 10 || y % 100 < 10;
      const stripe = Math.floor(y / 6) % 2 === 0;
      const bed = [
        [86, 140, 92],
        [120, 165, 84],
        [70, 120, 96],
        [150, 150, 80],
      ][(Math.floor(x / 80) + Math.floor(y / 100)) % 4] as [number, number, number];
      rows.push(...(isPath ? [214, 200, 170] : bed.map((value) => (stripe ? value : value - 18))));
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.from(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
