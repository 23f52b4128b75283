// The attributes are for a page without the style sheet: an SVG without a size fills its container. Each icon
// accompanies a text or a label, so it needs no accessible name.
export const icon = (path: string) => (
  <svg
    className="stowage-icon"
    viewBox="0 0 24 24"
    width={18}
    height={18}
    fill="none"
    stroke="currentColor"
    strokeWidth={2}
    aria-hidden="true"
  >
    <path d={path} />
  </svg>
);
