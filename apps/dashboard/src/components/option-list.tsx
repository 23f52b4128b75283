import { Loader, TextInput, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import styles from "./option-list.module.css";

export interface Option {
  /** Unique in the list. */
  id: string;
  label: ReactNode;
  /** Shown at the end of the row. */
  hint?: ReactNode;
  icon?: ReactNode;
  onSelect: () => void;
}

export interface OptionGroup {
  label: string;
  options: Option[];
}

interface OptionListProps {
  /** Accessible name of the field and of the list. */
  label: string;
  query: string;
  onQuery: (query: string) => void;
  groups: OptionGroup[];
  /** Announced and, if `isNoteShown`, visible: how many options there are, or why there are none. */
  note: string;
  isNoteShown: boolean;
  isLoading: boolean;
  /**
   * Mantine's dialogs move the focus after a moment, and letters that are typed until then are lost. Only for an opener that returns
   * the focus by itself: Mantine would return it to this field.
   */
  focusesAtOnce?: boolean;
  /** Shown below the list. */
  children?: ReactNode;
}

/**
 * A search field over a list of options in groups. The focus stays in the field; arrow keys move the active option, and Enter selects
 * it. The first option is active from the start. Follows the pattern "combobox" of WAI-ARIA's authoring practices. Mantine's Spotlight
 * does not follow it, and Mantine's Combobox announces the active option only after an arrow key.
 */
export function OptionList(props: OptionListProps) {
  const { label, query, groups, note, focusesAtOnce = false } = props;
  const listId = useId();
  const options = groups.flatMap((group) => group.options);
  const [activeId, setActiveId] = useState<string | null>(null);
  // The first option is active if none was chosen yet, or if the chosen one is gone.
  const active = Math.max(
    0,
    options.findIndex(({ id }) => id === activeId),
  );
  const domId = (index: number) => `${listId}-${index}`;
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const focus = () => field.current?.focus({ preventScroll: true });
    if (focusesAtOnce) focus();
    // Mantine finds no field to focus if this list was still being loaded when the dialog opened.
    const timer = setTimeout(focus);
    return () => clearTimeout(timer);
  }, [focusesAtOnce]);
  useEffect(() => {
    document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [active, listId]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || options.length === 0) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setActiveId(options[(active + step + options.length) % options.length]!.id);
    } else if (event.key === "Enter") {
      event.preventDefault();
      options[active]!.onSelect();
    }
  };

  return (
    <div>
      <TextInput
        ref={field}
        data-autofocus
        variant="unstyled"
        size="md"
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={options.length > 0}
        aria-controls={listId}
        {...(options.length > 0 && { "aria-activedescendant": domId(active) })}
        autoComplete="off"
        spellCheck={false}
        placeholder={label}
        leftSection={<IconSearch size={16} />}
        rightSection={props.isLoading ? <Loader size={14} /> : null}
        value={query}
        maxLength={100}
        onChange={(event) => {
          setActiveId(null);
          props.onQuery(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
      />
      {options.length > 0 && (
        <div id={listId} role="listbox" aria-label={label} className={styles["options"]}>
          {groups.map((group) => (
            <div key={group.label} role="group" aria-label={group.label}>
              <div className={styles["group"]} aria-hidden>
                {group.label}
              </div>
              {group.options.map((option) => (
                <OptionRow
                  key={option.id}
                  option={option}
                  domId={domId(options.indexOf(option))}
                  isActive={option === options[active]}
                  onPoint={() => setActiveId(option.id)}
                />
              ))}
            </div>
          ))}
        </div>
      )}
      <div role="status">
        {props.isNoteShown ? (
          <div className={styles["note"]}>{note}</div>
        ) : (
          <VisuallyHidden>{note}</VisuallyHidden>
        )}
      </div>
      {props.children}
    </div>
  );
}

function OptionRow(props: { option: Option; domId: string; isActive: boolean; onPoint: () => void }) {
  const { label, hint, icon, onSelect } = props.option;
  return (
    <UnstyledButton
      id={props.domId}
      role="option"
      aria-selected={props.isActive}
      tabIndex={-1}
      className={styles["option"] ?? ""}
      // The focus stays in the field.
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={props.onPoint}
      onClick={onSelect}
    >
      {icon && <span className={styles["icon"]}>{icon}</span>}
      <span className={styles["label"]}>{label}</span>
      {hint}
    </UnstyledButton>
  );
}
