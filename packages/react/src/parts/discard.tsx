"use client";

import { failureOf } from "@stowage/client/internals/list";
import { type ButtonHTMLAttributes, useEffect, useId, useRef, useState } from "react";
import { useFileView } from "./item-view.js";

/** The attributes of the button. */
export type UploadDiscardProps = ButtonHTMLAttributes<HTMLButtonElement>;

/**
 * Offers to end the user's unfinished uploads, if they hold the quota that the file needs, and then retries the file. Asks first,
 * because uploads that run elsewhere may end too. Rendered only for such a failure.
 */
export function UploadDiscard(props: UploadDiscardProps) {
  const { item } = useFileView();
  return failureOf(item)?.heldBytes === undefined ? null : <Offer {...props} />;
}

function Offer({ className }: UploadDiscardProps) {
  const { item, labels, discardUnfinished } = useFileView();
  const [isAsking, setAsking] = useState(false);
  const keep = useRef<HTMLButtonElement>(null);
  const offer = useRef<HTMLButtonElement>(null);
  const wasAsking = useRef(false);
  const warningId = useId();
  useEffect(() => {
    // The button that had the focus is gone.
    if (isAsking) {
      keep.current?.focus();
    } else if (wasAsking.current) {
      offer.current?.focus();
    }
    wasAsking.current = isAsking;
  }, [isAsking]);
  if (!isAsking) {
    return (
      <button ref={offer} type="button" className={className} onClick={() => setAsking(true)}>
        {labels.discard}
      </button>
    );
  }
  return (
    <span role="group" aria-labelledby={warningId}>
      <span id={warningId}>{`${labels.discardWarning} `}</span>
      <button type="button" className={className} onClick={() => discardUnfinished(item.id)}>
        {labels.discardNow}
      </button>
      <button
        ref={keep}
        type="button"
        className={className}
        aria-describedby={warningId}
        onClick={() => setAsking(false)}
      >
        {labels.discardNot}
      </button>
    </span>
  );
}
