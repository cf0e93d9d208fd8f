import { Kbd } from '../ui/kbd.tsx';

const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform);

/** Keys that are pressed together. `Mod` is Ctrl, on Apple's systems ⌘. */
export function Keys({ keys }: { keys: readonly string[] }) {
  const mod = isApple() ? '⌘' : 'Ctrl';
  return (
    <span className="flex gap-1">
      {keys.map((key) => (
        <Kbd key={key}>{key === 'Mod' ? mod : key}</Kbd>
      ))}
    </span>
  );
}
