import {
  cloneElement,
  type ComponentType,
  lazy,
  type ReactElement,
  type SyntheticEvent,
  useId,
  useState,
} from "react";
import { loadChunk } from "../load-chunk.js";
import { MountOnOpen } from "./mount-on-open.js";
import type { TooltipLabelProps } from "./tooltip-label.js";

// Loaded with the first tooltip, because what places it beside its target is large. If that fails, no tooltips are shown. Throwing
// would replace the page.
const LazyLabel = lazy(() =>
  loadChunk(() => import("./tooltip-label.js")).then(
    ({ TooltipLabel }): { default: ComponentType<TooltipLabelProps> } => ({ default: TooltipLabel }),
    () => ({ default: () => null }),
  ),
);

/** The props of a child that {@link Tooltip} sets. The child must not have its own: they would be lost. */
type Target = ReactElement<{
  "aria-describedby"?: string | undefined;
  onMouseEnter: (event: SyntheticEvent<HTMLElement>) => void;
  onMouseLeave: () => void;
  onFocus: (event: SyntheticEvent<HTMLElement>) => void;
  onBlur: () => void;
}>;

/**
 * Shows a text beside an element under the pointer, or with the keyboard's focus in it. Escape hides it.
 *
 * @param props.label nothing is shown if it is undefined
 * @param props.isNeededFor whether the element needs the text now @default always
 */
export function Tooltip(props: {
  label: string | undefined;
  isNeededFor?: (element: HTMLElement) => boolean;
  /** For a label that is a name. */
  translate?: "no";
  children: ReactElement;
}) {
  const { label, isNeededFor = () => true } = props;
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const show = ({ currentTarget }: SyntheticEvent<HTMLElement>) => {
    setTarget(currentTarget);
    setOpen(isNeededFor(currentTarget));
  };
  const hide = () => setOpen(false);
  const isShown = isOpen && label !== undefined;
  return (
    <>
      {cloneElement(props.children as Target, {
        "aria-describedby": isShown ? id : undefined,
        onMouseEnter: show,
        onMouseLeave: hide,
        // A click and a dialog that closes give the focus too.
        onFocus: (event) =>
          event.target instanceof Element && event.target.matches(":focus-visible") && show(event),
        onBlur: hide,
      })}
      <MountOnOpen opened={isShown}>
        <LazyLabel
          id={id}
          label={label}
          translate={props.translate}
          opened={isShown}
          target={target}
          onClose={hide}
        />
      </MountOnOpen>
    </>
  );
}
