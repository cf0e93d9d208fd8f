import { Ellipsis, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button, type ButtonLook, IconButton } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { CommandLine } from '../ui/command-line.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Field } from '../ui/field.tsx';
import { Input, Select } from '../ui/input.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Switch } from '../ui/switch.tsx';
import { Tab, TabList, TabPanel, Tabs } from '../ui/tabs.tsx';
import { KitRow } from './kit-row.tsx';

const LOOKS: readonly ButtonLook[] = ['primary', 'plain', 'quiet', 'danger'];

/** Buttons. */
export function ButtonStates() {
  return (
    <div className="grid grid-cols-1 gap-4">
      {LOOKS.map((look) => (
        <KitRow key={look} name={look}>
          <Button look={look}>Rest</Button>
          <Button look={look} data-show="hover">
            Hovered
          </Button>
          <Button look={look} data-show="focus">
            Focused
          </Button>
          <Button look={look} busy>
            Working
          </Button>
          <Button look={look} disabled>
            Disabled
          </Button>
          <Button look={look} small>
            <Plus size={15} aria-hidden="true" /> Small
          </Button>
        </KitRow>
      ))}
      <KitRow name="icon">
        <IconButton label="More">
          <Ellipsis size={18} />
        </IconButton>
        <IconButton label="More, hovered" data-show="hover">
          <Ellipsis size={18} />
        </IconButton>
        <IconButton label="More, focused" data-show="focus">
          <Ellipsis size={18} />
        </IconButton>
        <IconButton label="More, disabled" disabled>
          <Ellipsis size={18} />
        </IconButton>
      </KitRow>
      <KitRow name="copy">
        <CopyButton text="croft open" />
      </KitRow>
      <KitRow name="command">
        <div className="w-full min-w-0">
          <CommandLine
            command="npx -y --fetch-retries=0 http://localhost:7860/dl/croft.tgz connect"
            label="A command"
          />
        </div>
      </KitRow>
      <KitRow name="key">
        <Kbd>/</Kbd> <Kbd>Ctrl</Kbd> <Kbd>F2</Kbd>
      </KitRow>
    </div>
  );
}

/** Fields. */
export function FieldStates() {
  return (
    <div className="grid grid-cols-1 gap-5 sm:grid-cols-2 lg:grid-cols-3">
      <Field label="Empty">{(control) => <Input {...control} placeholder="Placeholder" />}</Field>
      <Field label="Filled" hint="A hint says what is wanted.">
        {(control) => <Input {...control} defaultValue="report.md" />}
      </Field>
      <Field label="Wrong" error="A name cannot contain a slash.">
        {(control) => <Input {...control} defaultValue="a/b" />}
      </Field>
      <Field label="Focused">{(control) => <Input {...control} data-show="focus" defaultValue="report.md" />}</Field>
      <Field label="Disabled">{(control) => <Input {...control} disabled defaultValue="report.md" />}</Field>
      <Field label="Select">
        {(control) => (
          <Select {...control} defaultValue="user">
            <option value="user">User</option>
            <option value="admin">Administrator</option>
          </Select>
        )}
      </Field>
    </div>
  );
}

/** Things to choose. */
export function ChoiceStates() {
  const [on, setOn] = useState(true);
  const [ticked, setTicked] = useState(true);
  const [where, setWhere] = useState<'name' | 'content'>('name');
  const options = [
    { value: 'name', label: 'Names' },
    { value: 'content', label: 'Contents' },
  ] as const;
  return (
    <div className="grid grid-cols-1 gap-4">
      <KitRow name="switch">
        <Switch aria-label="On" checked={on} onCheckedChange={setOn} />
        <Switch aria-label="Off" />
        <Switch aria-label="Focused" data-show="focus" defaultChecked />
        <Switch aria-label="On and disabled" checked disabled />
        <Switch aria-label="Off and disabled" disabled />
      </KitRow>
      <KitRow name="checkbox">
        <Checkbox aria-label="Ticked" checked={ticked} onCheckedChange={setTicked} />
        <Checkbox aria-label="Empty" checked={false} />
        <Checkbox aria-label="In part" checked="indeterminate" />
        <Checkbox aria-label="Focused" checked={false} data-show="focus" />
        <Checkbox aria-label="Disabled" checked disabled />
      </KitRow>
      <KitRow name="segmented">
        <Segmented label="One of two" value={where} options={options} onChange={setWhere} />
        <Segmented label="One of two, disabled" value="name" options={options} onChange={() => {}} disabled />
      </KitRow>
      <KitRow name="tabs">
        <Tabs defaultValue="read" className="w-full">
          <TabList aria-label="View">
            <Tab value="read">Read</Tab>
            <Tab value="source">Source</Tab>
            <Tab value="off" disabled>
              Disabled
            </Tab>
          </TabList>
          <TabPanel value="read" className="p-3 text-soft">
            As it is read.
          </TabPanel>
          <TabPanel value="source" className="p-3 text-soft">
            As it is written.
          </TabPanel>
        </Tabs>
      </KitRow>
    </div>
  );
}
