import { Fragment } from "react";

/** An email address, which browsers do not translate. A narrow column breaks it after the @, else before a dot, else inside a word. */
export function Email({ children }: { children: string }) {
  return (
    <span translate="no" style={{ overflowWrap: "anywhere" }}>
      {children.split(/(?<=@)/).map((half) => (
        <span key={half} style={{ display: "inline-block", maxWidth: "100%" }}>
          {half.split(/(?=\.)/).map((part, at) => (
            <Fragment key={at}>
              {at > 0 && <wbr />}
              {part}
            </Fragment>
          ))}
        </span>
      ))}
    </span>
  );
}
