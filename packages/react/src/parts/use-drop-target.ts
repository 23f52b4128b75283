import { createDropTarget, type DragState, type DropTargetOptions } from "@stowage/client/internals";
import { type DOMAttributes, type SyntheticEvent, useEffect, useState } from "react";
import { useIsomorphicLayoutEffect } from "./use-isomorphic-layout-effect.js";

type DropProps = Pick<
  DOMAttributes<HTMLElement>,
  "onDragEnter" | "onDragOver" | "onDragLeave" | "onDrop" | "onPaste"
>;

/**
 * Takes the files that are dropped on an element or pasted into it.
 *
 * @returns the state of a drag over the element, and a function that adds the handlers to those of the page. The page's handlers
 *   come first, and can stop the others with `stopPropagation`
 */
export function useDropTarget(options: DropTargetOptions) {
  const [drag, setDrag] = useState<DragState>("none");
  const current: DropTargetOptions = {
    ...options,
    onDrag(state) {
      setDrag(state);
      options.onDrag(state);
    },
  };
  const [{ listeners, watchPage, configure }] = useState(() => createDropTarget(current));
  useIsomorphicLayoutEffect(() => configure(current));
  useEffect(watchPage, [watchPage]);

  const dropProps = (own: DropProps): DropProps => ({
    onDragEnter: inTurn(own.onDragEnter, listeners.dragenter),
    onDragOver: inTurn(own.onDragOver, listeners.dragover),
    onDragLeave: inTurn(own.onDragLeave, listeners.dragleave),
    onDrop: inTurn(own.onDrop, listeners.drop),
    onPaste: inTurn(own.onPaste, listeners.paste),
  });
  return { drag, dropProps };
}

function inTurn<Event extends SyntheticEvent>(
  first: ((event: Event) => void) | undefined,
  second: (event: Event) => void,
) {
  return (event: Event) => {
    first?.(event);
    if (!event.isPropagationStopped()) {
      second(event);
    }
  };
}
