import { KitRow } from './kit-row.tsx';

// Complete class names, because the style sheet has only class names that occur in a source.
const GROUNDS = [
  ['canvas', 'bg-canvas'],
  ['surface', 'bg-surface'],
  ['raised', 'bg-raised'],
  ['sunken', 'bg-sunken'],
  ['hover', 'bg-hover'],
  ['selected', 'bg-selected'],
  ['line', 'bg-line'],
  ['edge', 'bg-edge'],
] as const;
const SPEAKING = [
  ['ink', 'bg-ink'],
  ['soft', 'bg-soft'],
  ['accent', 'bg-accent'],
  ['accent strong', 'bg-accent-strong'],
  ['accent soft', 'bg-accent-soft'],
  ['bad', 'bg-bad'],
  ['bad soft', 'bg-bad-soft'],
  ['warn', 'bg-warn'],
  ['warn soft', 'bg-warn-soft'],
] as const;
const SIZES = [
  ['2xl', 'text-2xl font-semibold tracking-tight'],
  ['xl', 'text-xl font-semibold tracking-tight'],
  ['lg', 'text-lg font-semibold tracking-tight'],
  ['base', 'text-base'],
  ['sm', 'text-sm'],
  ['xs', 'text-xs'],
] as const;
const RADII = [
  ['sm', 'rounded-sm'],
  ['md', 'rounded-md'],
  ['lg', 'rounded-lg'],
  ['xl', 'rounded-xl'],
] as const;
const STEPS = ['w-1', 'w-2', 'w-3', 'w-4', 'w-6', 'w-8', 'w-12', 'w-16'] as const;

/** The design tokens. */
export function Tokens() {
  return (
    <div className="grid grid-cols-1 gap-5">
      <KitRow name="Ground">{GROUNDS.map(swatch)}</KitRow>
      <KitRow name="Ink and accent">{SPEAKING.map(swatch)}</KitRow>
      <KitRow name="Type">
        <div className="grid grid-cols-1 gap-1.5">
          {SIZES.map(([name, look]) => (
            <p key={name} className={look}>
              A small enclosed field <span className="text-sm font-normal tracking-normal text-soft">{name}</span>
            </p>
          ))}
          <p className="font-mono text-sm">croft connect http://localhost:7860</p>
        </div>
      </KitRow>
      <KitRow name="Space">
        {STEPS.map((step) => (
          <span key={step} className="grid justify-items-center gap-1 text-xs text-soft">
            <span className={`h-4 rounded-[2px] bg-accent ${step}`} />
            {step.slice(2)}
          </span>
        ))}
      </KitRow>
      <KitRow name="Radius and shadow">
        {RADII.map(([name, look]) => (
          <span
            key={name}
            className={`grid size-16 place-items-center border border-line bg-surface text-sm text-soft shadow-card ${look}`}
          >
            {name}
          </span>
        ))}
        <span className="grid h-16 place-items-center rounded-lg bg-raised px-4 text-sm text-soft shadow-float">
          float
        </span>
      </KitRow>
    </div>
  );
}

function swatch([name, look]: readonly [string, string]) {
  return (
    <span key={name} className="grid w-20 gap-1 text-xs text-soft">
      <span className={`h-10 rounded-md border border-line ${look}`} />
      {name}
    </span>
  );
}
