// The JSX of the dashboard (`jsxImportSource` in tsconfig.json). A browser that translates the page puts an element in the place of each
// text. React then cannot remove a text that is beside other nodes, insert an element before it, or change it: the page goes blank, or
// shows old numbers. So each such text has an element of its own. A text that is the only child of its element is safe.

import type { ElementType, Key, ReactNode } from "react";
import { createElement, Fragment } from "react";
import { jsx as reactJsx, jsxs as reactJsxs } from "react/jsx-runtime";

export type { JSX } from "react/jsx-runtime";
export { Fragment };

interface Props {
  children?: ReactNode;
}

/** Makes an element with at most one child. */
export function jsx(type: ElementType, props: Props, key?: Key) {
  return type === Fragment && isText(props.children)
    ? reactJsx("span", props, key)
    : reactJsx(type, props, key);
}

/** Makes an element with several children. */
export function jsxs(type: ElementType, props: Props & { children: ReactNode[] }, key?: Key) {
  const children = joinTexts(props.children);
  const shown = children.filter((child) => !isNothing(child));
  // Such elements can have one text only.
  if (shown.length === 1 && isText(shown[0])) return jsx(type, { ...props, children: shown[0] }, key);
  const wrapper = type === "text" || type === "tspan" ? "tspan" : "span";
  const wrapped = children.map((child) =>
    isText(child) && String(child).trim() !== "" ? createElement(wrapper, null, child) : child,
  );
  return reactJsxs(type, { ...props, children: wrapped }, key);
}

/** What development builds call. */
export const jsxDEV = (type: ElementType, props: Props, key: Key | undefined, hasSeveral: boolean) =>
  hasSeveral ? jsxs(type, props as Props & { children: ReactNode[] }, key) : jsx(type, props, key);

const isText = (child: ReactNode): child is string | number =>
  typeof child === "string" || typeof child === "number";
const isNothing = (child: ReactNode) => child === null || child === undefined || typeof child === "boolean";

/** Joins texts without an element in between. The elements keep their places, by which React knows them. */
function joinTexts(children: ReactNode[]): ReactNode[] {
  const joined = [...children];
  let first: number | undefined;
  for (const [index, child] of joined.entries()) {
    if (isText(child)) {
      if (first === undefined) {
        first = index;
      } else {
        joined[first] = `${joined[first]}${child}`;
        joined[index] = null;
      }
    } else if (!isNothing(child)) {
      first = undefined;
    }
  }
  return joined;
}
