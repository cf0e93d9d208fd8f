import { MousePointerClick } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { cn } from '../ui/class-names.ts';
import { EmptyState } from '../ui/state.tsx';
import { Tab, TabList, TabPanel, Tabs } from '../ui/tabs.tsx';

/** The parts of the column beside the canvas. */
export type SideTab = 'run' | 'component' | 'problems';

/**
 * The column beside the canvas. On narrow pages it is below the canvas, and the component is a sheet over the page. The run
 * stays mounted, so that its form keeps what was typed.
 */
export function SidePanel({
  tab,
  onTab,
  problemCount,
  run,
  component,
  problems,
}: {
  tab: SideTab;
  onTab: (tab: SideTab) => void;
  /** Of errors. */
  problemCount: number;
  run: ReactNode;
  /** Absent while no component is selected. */
  component: ReactNode | undefined;
  problems: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  // On narrow pages the column begins below the screen. The frame waits for the content of the tab.
  const reveal = () => void requestAnimationFrame(() => box.current?.scrollIntoView({ block: 'nearest' }));
  return (
    <Tabs
      ref={box}
      value={tab}
      onValueChange={(next) => {
        onTab(next as SideTab);
        reveal();
      }}
      className="flex min-h-0 max-md:scroll-mb-20 flex-col border-line bg-surface max-lg:border-t lg:border-l"
    >
      <TabList aria-label="Beside the canvas" onClick={reveal} className="shrink-0 px-2 pt-1">
        <Tab value="run">Run</Tab>
        <Tab value="component">Component</Tab>
        <Tab value="problems">
          Problems
          {problemCount > 0 && (
            <span className="ml-1.5 rounded-full bg-bad-soft px-1.5 text-xs text-bad">{problemCount}</span>
          )}
        </Tab>
      </TabList>
      <TabPanel value="run" forceMount className={cn(PANEL, 'data-[state=inactive]:hidden')}>
        {run}
      </TabPanel>
      <TabPanel value="component" className={cn(PANEL, component && SHEET)}>
        {component ?? (
          <EmptyState icon={<MousePointerClick size={22} />} title="No component selected">
            Select one on the canvas, or in the outline of the tab Run.
          </EmptyState>
        )}
      </TabPanel>
      <TabPanel value="problems" className={PANEL}>
        {problems}
      </TabPanel>
    </Tabs>
  );
}

const PANEL = 'grid min-h-0 grow grid-cols-1 content-start gap-6 p-4 max-md:py-2.5 md:overflow-y-auto';
const SHEET =
  'max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-20 max-lg:max-h-[75dvh] max-lg:overflow-y-auto max-md:pb-20 max-lg:animate-rise max-lg:rounded-t-xl max-lg:border-t max-lg:border-line max-lg:bg-raised max-lg:shadow-float';
