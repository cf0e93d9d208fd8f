import { Monitor, Moon, Sun } from 'lucide-react';
import { Segmented } from '../ui/segmented.tsx';
import { chooseTheme, type Theme, useTheme } from './theme.ts';

const OPTIONS: readonly { value: Theme; label: React.ReactNode }[] = [
  { value: 'system', label: <Choice icon={<Monitor size={15} />} name="System" /> },
  { value: 'light', label: <Choice icon={<Sun size={15} />} name="Light" /> },
  { value: 'dark', label: <Choice icon={<Moon size={15} />} name="Dark" /> },
];

/** System, light or dark; at once, and remembered. */
export function ThemeChoice() {
  return <Segmented label="Theme" value={useTheme()} options={OPTIONS} onChange={chooseTheme} />;
}

function Choice({ icon, name }: { icon: React.ReactNode; name: string }) {
  return (
    <>
      <span aria-hidden="true">{icon}</span>
      {name}
    </>
  );
}
