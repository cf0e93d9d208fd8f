import { useStore } from '@xyflow/react';
import { useEffect } from 'react';

/** Below this zoom a text cannot be read. */
const FAR_ZOOM = 0.35;

/** Shows components as plain boxes where they are small: drawing their texts takes most of the time of a frame. */
export function FarView({ box }: { box: { readonly current: HTMLElement | null } }) {
  const isFar = useStore(({ transform }) => transform[2] < FAR_ZOOM);
  useEffect(() => {
    box.current?.classList.toggle('far', isFar);
  }, [box, isFar]);
  return null;
}
