import { Fragment } from "react";

/** An e-mail address: where its place is too narrow it breaks behind the @, then at dots, and only then inside a word. */
export function Email({ children }: { children: string }) {
  return (
    <span style={{ overflowWrap: "anywhere" }}>
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
