import { Documents } from "../documents";

/** A server component with the page's component of the README. */
export default function Page() {
  return <Documents />;
}
