import type { ReactNode } from "react";

// Drawn on a 24 px grid, in the text's own colour. All of them stand beside words: none needs a name.
function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      className="stowage-icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

export const UploadIcon = () => (
  <Icon>
    <path d="M12 16V4m0 0 5 5m-5-5L7 9M4 15v3a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-3" />
  </Icon>
);
export const CheckIcon = () => (
  <Icon>
    <path d="m5 12.5 4.5 4.5L19 7.5" />
  </Icon>
);
export const AlertIcon = () => (
  <Icon>
    <path d="M12 8v4.5m0 3.5h.01M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z" />
  </Icon>
);
export const CloseIcon = () => (
  <Icon>
    <path d="M6 6l12 12M18 6 6 18" />
  </Icon>
);
export const RetryIcon = () => (
  <Icon>
    <path d="M4 12a8 8 0 1 0 2.6-5.9M4 4v5h5" />
  </Icon>
);
