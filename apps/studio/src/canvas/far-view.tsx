import { useStore } from '@xyflow/react';
import { useEffect } from 'react';

/**
 * Below this zoom small texts cannot be read, and drawing those of many components takes most of the time of a frame: they are
 * plain boxes then.
 */
const FAR_ZOOM = 0.35;
const MANY = 100;
/** Below this zoom the name of a component has less than 10 px: it is drawn larger, in the place of the name and the kind. */
const SMALL_ZOOM = 0.72;

/** Sets how components look from afar, with a class of the drawing. */
export function FarView() {
  const isFar = useStore(({ transform, nodes }) => transform[2] < FAR_ZOOM && nodes.length > MANY);
  const isSmall = useStore(({ transform }) => transform[2] < SMALL_ZOOM);
  const drawing = useStore(({ domNode }) => domNode);
  useEffect(() => {
    drawing?.classList.toggle('far', isFar);
    drawing?.classList.toggle('small', isSmall);
  }, [drawing, isFar, isSmall]);
  return null;
}
