import { ThemeChoice } from '../appearance/theme-choice.tsx';
import { Card, CardBody, CardHead } from '../ui/card.tsx';

/** The page with the theme of this browser. */
export function AppearancePage() {
  return (
    <Card aria-label="Appearance">
      <CardHead title="Appearance" about="Remembered by this browser. Motion follows the settings of your system." />
      <CardBody>
        <ThemeChoice />
      </CardBody>
    </Card>
  );
}
