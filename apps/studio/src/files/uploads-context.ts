import { createContext, useContext } from 'react';
import type { Undo } from './use-undo.ts';
import type { useUploads } from './use-uploads.ts';

/** The uploads of the signed-in user, and the undo that they share with the page Files. */
export interface UserUploads {
  readonly add: ReturnType<typeof useUploads>['add'];
  readonly undo: Undo;
}

export const UploadsContext = createContext<UserUploads | undefined>(undefined);

/** @throws Error outside of `Uploads` */
export function useUserUploads(): UserUploads {
  const uploads = useContext(UploadsContext);
  if (!uploads) throw new Error('Render the component inside of Uploads.');
  return uploads;
}
