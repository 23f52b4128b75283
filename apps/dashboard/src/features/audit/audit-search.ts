import { auditActions } from "@stowage/operator-schemas";
import {
  day,
  oneOf,
  orderedDays,
  type SearchOf,
  searchParams,
  text,
} from "../../components/search-params.js";

const parseParams = searchParams({
  q: text,
  action: oneOf(auditActions),
  operatorId: text,
  from: day,
  to: day,
  cursor: text,
});

export type AuditSearch = SearchOf<typeof parseParams>;

/** Filters and page of the audit log. Drops `from` and `to` if `from` is after `to`. */
export function validateAuditSearch(search: Record<string, unknown>): AuditSearch {
  return orderedDays(parseParams(search));
}
