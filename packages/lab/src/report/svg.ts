/** A line of a chart: its name, its colour, and its points from left to right. */
export interface Line {
  name: string;
  colour: string;
  points: readonly { x: number; y: number }[];
  /** Points alone, where a line between them would say something. */
  dotsOnly?: boolean;
}

export interface Chart {
  title: string;
  xName: string;
  yName: string;
  /** The right end of the x axis; it begins at 0. */
  xMost: number;
  lines: readonly Line[];
}

export interface Bar {
  name: string;
  value: number;
  low: number;
  high: number;
}

export const colours = { kept: '#2a7f4f', saved: '#2f6fb2', grey: '#8a8a8a' };

const width = 640;
const height = 340;
const left = 64;
const right = 24;
const top = 44;
const bottom = 52;

/** Lines over a y axis of shares, 0 to 100 %. */
export function lineChart({ title, xName, yName, xMost, lines }: Chart): string {
  const x = (value: number) => fixed(left + (value / Math.max(xMost, 1e-9)) * (width - left - right));
  const y = (share: number) => fixed(height - bottom - clamp(share) * (height - top - bottom));
  const drawn = lines.flatMap((line, at) => [
    ...(line.dotsOnly || line.points.length < 2
      ? []
      : [
          `<polyline fill="none" stroke="${line.colour}" stroke-width="2" points="${line.points.map((one) => `${x(one.x)},${y(one.y)}`).join(' ')}"/>`,
        ]),
    ...line.points.map((one) => `<circle cx="${x(one.x)}" cy="${y(one.y)}" r="3" fill="${line.colour}"/>`),
    text(width - right, top + 4 + at * 16, line.name, 'end', line.colour),
  ]);
  const ticks = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
    `<line x1="${left}" x2="${width - right}" y1="${y(share)}" y2="${y(share)}" stroke="${colours.grey}" stroke-opacity="0.25"/>`,
    text(left - 8, Number(y(share)) + 4, `${share * 100} %`, 'end'),
    text(Number(x(xMost * share)), height - bottom + 18, label(xMost * share), 'middle'),
  ]);
  return page(title, height, [
    ...ticks,
    ...drawn,
    text((left + width - right) / 2, height - 10, xName, 'middle'),
    text(left, top - 10, yName, 'start'),
  ]);
}

/** Bars from the left, each with the range in which its value lies. */
export function barChart(title: string, name: string, bars: readonly Bar[]): string {
  const from = 190;
  const tall = top + bars.length * 30 + 40;
  const x = (share: number) => fixed(from + clamp(share) * (width - from - right - 40));
  const rows = bars.flatMap(({ name, value, low, high }, at) => {
    const y = top + at * 30;
    return [
      text(from - 8, y + 15, name, 'end'),
      `<rect x="${from}" y="${y}" width="${fixed(Number(x(value)) - from)}" height="18" fill="${colours.saved}" fill-opacity="0.75"/>`,
      `<line x1="${x(low)}" x2="${x(high)}" y1="${y + 9}" y2="${y + 9}" stroke="${colours.grey}" stroke-width="2"/>`,
      text(Number(x(Math.max(value, high))) + 6, y + 14, `${Math.round(value * 100)} %`, 'start'),
    ];
  });
  return page(title, tall, [...rows, text(from, tall - 14, name, 'start')]);
}

function page(title: string, tall: number, content: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${tall}" font-family="system-ui, sans-serif" font-size="12" role="img">`,
    `<title>${escaped(title)}</title>`,
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    text(left, 20, title, 'start', '#222222', 14),
    ...content,
    '</svg>',
    '',
  ].join('\n');
}

function text(x: number, y: number, words: string, anchor: string, colour = '#444444', size = 12): string {
  return `<text x="${fixed(x)}" y="${fixed(y)}" text-anchor="${anchor}" fill="${colour}" font-size="${size}">${escaped(words)}</text>`;
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share));
const fixed = (value: number): string => value.toFixed(1);
const label = (value: number): string => (value > 1 ? String(Math.round(value)) : value.toFixed(2));
const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
