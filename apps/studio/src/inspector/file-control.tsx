import type { Json } from '@croft/flow';
import { FolderOpen } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../ui/button.tsx';
import type { FieldControl } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { FilePicker } from './file-picker.tsx';

/** The value of a field for files as its input shows it: a list of one file is that file, and an empty one is nothing. */
export function pathText(value: Json): string {
  const only = Array.isArray(value) && value.length <= 1 ? (value[0] ?? '') : value;
  if (only === null) return '';
  return typeof only === 'string' ? only : JSON.stringify(only);
}

/** The path of a file: typed, or chosen in a dialog. */
export function FileControl({
  control,
  value,
  onValue,
  ...rest
}: {
  control: FieldControl;
  value: string;
  /** Called for each change; `isWhole` says that the path was chosen and not typed. */
  onValue: (value: string, isWhole: boolean) => void;
  required?: boolean | undefined;
  placeholder?: string | undefined;
  disabled?: boolean | undefined;
  onBlur?: () => void;
}) {
  const [isChoosing, setIsChoosing] = useState(false);
  return (
    <span className="flex gap-1.5">
      <Input
        {...control}
        {...rest}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onValue(event.target.value, false)}
      />
      <IconButton
        label="Choose a file"
        look="plain"
        disabled={rest.disabled}
        className="max-sm:size-10"
        onClick={() => setIsChoosing(true)}
      >
        <FolderOpen size={17} />
      </IconButton>
      {isChoosing && (
        <FilePicker
          value={value}
          onPick={(path) => {
            onValue(path, true);
            setIsChoosing(false);
          }}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </span>
  );
}
