import { Select } from "@mantine/core";
import { DayRange } from "../../components/day-range.js";
import type { Change } from "../../components/list-search.js";
import { actionNames, audit as texts } from "../../components/audit-texts.js";
import { trpc } from "../../trpc.js";
import type { AuditSearch } from "./audit-search.js";

/** The filters of the audit log except the search: action, person and days. */
export function AuditFilters(props: {
  projectRef: string;
  search: AuditSearch;
  onChange: (change: Change<AuditSearch>) => void;
}) {
  const { projectRef, search, onChange } = props;
  const members = trpc.members.list.useQuery({ projectRef });
  const people = (members.data?.members ?? []).map(({ operatorId, email }) => ({
    value: operatorId,
    label: email,
  }));
  const { operatorId } = search;
  // A link can name a person who has left the project.
  const isFormer = operatorId !== undefined && !people.some(({ value }) => value === operatorId);
  return (
    <>
      <Select
        aria-label={texts.action}
        placeholder={texts.anyAction}
        data={Object.entries(actionNames).map(([value, label]) => ({ value, label }))}
        value={search.action ?? null}
        onChange={(action) => onChange({ action: (action as AuditSearch["action"]) ?? undefined })}
        searchable
        clearable
        w={{ base: "100%", sm: 210 }}
      />
      <Select
        aria-label={texts.operator}
        placeholder={texts.anyPerson}
        data={isFormer ? [...people, { value: operatorId, label: texts.formerMember }] : people}
        value={operatorId ?? null}
        onChange={(person) => onChange({ operatorId: person ?? undefined })}
        searchable
        clearable
        w={{ base: "100%", sm: 230 }}
      />
      <DayRange from={search.from} to={search.to} onChange={onChange} />
    </>
  );
}
