import type { UploadItem } from "@stowage/client";
import {
  createListUse,
  fileView,
  firstAddedRow,
  hasFocus,
  nameFiles,
  NO_NAMES,
  orderRows,
  type SharedView,
  uniqueNameOf,
} from "@stowage/client/internals/list";
import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { ref } from "lit/directives/ref.js";
import { repeat } from "lit/directives/repeat.js";
import { LongList } from "./long-list.js";
import { renderRow } from "./render-row.js";

/**
 * Renders the files of a list. A row is rendered again only when its file, its position or what all rows share has changed. From 100
 * files on, only the rows near the visible ones are in the page.
 */
export class FileRows {
  readonly #onChange: () => void;
  readonly #use = createListUse();
  readonly #long: LongList;
  /** The file whose row asks before it discards unfinished uploads. */
  #askingId: string | undefined;
  #list: HTMLElement | undefined;
  #stopWatch: (() => void) | undefined;
  #ids: readonly string[] = [];
  #names = NO_NAMES;
  #shownIds: readonly string[] = [];

  /** @param onChange the list has to be rendered again */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
    this.#long = new LongList(onChange);
  }

  render(
    items: readonly UploadItem[],
    shared: SharedView,
    hasPreviews: boolean,
  ): TemplateResult | typeof nothing {
    const isHeld = this.#list !== undefined && this.#use.isInUse(this.#list);
    const { rows, ids } = orderRows(items, this.#ids, isHeld);
    this.#ids = ids;
    if (items.length === 0) {
      return nothing;
    }
    // In the order of the list, so that the first of two files of one name keeps its name.
    this.#names = nameFiles(this.#names, items);
    const { isWindowed, slots, endPx } = this.#long.rowsOf(this.#list, ids);
    // Safari removes the list role from a list without markers, so it is set explicitly.
    return html`<ul
      role="list"
      class="stowage-list ${isWindowed ? "windowed" : ""}"
      part="list"
      aria-label=${shared.labels.list}
      ${ref(this.#watch)}
    >
      ${repeat(
        slots.flatMap(({ index, spacePx }) => {
          const row = { key: ids[index]!, index, spacePx: 0 };
          return spacePx > 0 ? [{ key: `space before ${row.key}`, index, spacePx }, row] : row;
        }),
        ({ key }) => key,
        ({ index, spacePx }) =>
          spacePx > 0
            ? renderSpace(spacePx)
            : this.#renderRow(
                rows[index]!,
                isWindowed ? [index, ids.length] : undefined,
                shared,
                hasPreviews,
              ),
      )}
      ${endPx > 0 ? renderSpace(endPx) : nothing}
    </ul>`;
  }

  /** Measures the rows, and makes the first file of a further batch visible. Call it after each rendering. */
  rendered(): void {
    this.#long.rendered();
    const row = firstAddedRow(this.#ids, this.#shownIds);
    this.#shownIds = this.#ids;
    const list = this.#list;
    if (row === null || list === undefined || hasFocus(list) || this.#long.scrollTo(row)) {
      return;
    }
    const top = list.querySelectorAll("[data-id]")[row]?.getBoundingClientRect().top;
    list.scrollBy({ top: top === undefined ? 0 : top - list.getBoundingClientRect().top });
  }

  #renderRow(
    item: UploadItem,
    position: readonly [index: number, count: number] | undefined,
    shared: SharedView,
    hasPreview: boolean,
  ) {
    const isAsked = this.#askingId === item.id;
    return guard([item, shared, isAsked, hasPreview, ...(position ?? [])], () =>
      renderRow(fileView(item, uniqueNameOf(this.#names, item), shared), item, {
        position,
        hasPreview,
        question: { isAsked, ask: (isAsked) => this.#ask(isAsked ? item.id : undefined) },
      }),
    );
  }

  readonly #watch = (list: Element | undefined) => {
    this.#stopWatch?.();
    this.#long.stop();
    this.#list = list instanceof HTMLElement ? list : undefined;
    this.#stopWatch = this.#list && this.#use.watch(this.#list, this.#onChange);
  };

  #ask(id: string | undefined): void {
    this.#askingId = id;
    this.#onChange();
  }
}

/** Stands for rows that are not rendered. */
const renderSpace = (px: number) =>
  html`<li aria-hidden="true" role="presentation" style="block-size: ${px}px"></li>`;
