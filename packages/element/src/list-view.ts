import type { UploadItem } from "@stowage/client";
import {
  createListUse,
  createRowOrder,
  createUniqueNames,
  fileView,
  type SharedView,
} from "@stowage/client/internals";
import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { ref } from "lit/directives/ref.js";
import { repeat } from "lit/directives/repeat.js";
import { renderRow } from "./render-row.js";

/** Renders the files of a list. A row is rendered again only when its file or what all rows share has changed. */
export class ListView {
  readonly #onChange: () => void;
  readonly #nameOf = createUniqueNames();
  readonly #orderRows = createRowOrder();
  /** The file whose row asks before it discards unfinished uploads. */
  #askingId: string | undefined;
  readonly #use: ReturnType<typeof createListUse>;
  #element: HTMLElement | undefined;
  #stopWatch: (() => void) | undefined;

  /** @param onChange the list has to be rendered again */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
    this.#use = createListUse(onChange);
  }

  render(items: readonly UploadItem[], shared: SharedView): TemplateResult | typeof nothing {
    if (items.length === 0) {
      return nothing;
    }
    const { rows } = this.#orderRows(items, this.#element !== undefined && this.#use.isInUse(this.#element));
    // In the order of the list, so that the first of two files of one name keeps its name.
    for (const item of items) {
      this.#nameOf(item);
    }
    // Safari removes the list role from a list without markers, so it is set explicitly.
    return html`<ul
      role="list"
      class="stowage-list"
      part="list"
      aria-label=${shared.labels.list}
      ${ref(this.#watchElement)}
    >
      ${repeat(
        rows,
        ({ id }) => id,
        (item) => {
          const isAsked = this.#askingId === item.id;
          return guard([item, shared, isAsked], () =>
            renderRow(fileView(item, this.#nameOf(item), shared), item, {
              isAsked,
              ask: (isAsked) => this.#ask(isAsked ? item.id : undefined),
            }),
          );
        },
      )}
    </ul>`;
  }

  readonly #watchElement = (list: Element | undefined) => {
    this.#stopWatch?.();
    this.#element = list instanceof HTMLElement ? list : undefined;
    this.#stopWatch = this.#element && this.#use.watch(this.#element);
  };

  #ask(id: string | undefined): void {
    this.#askingId = id;
    this.#onChange();
  }
}
