import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { AuditList } from "../../components/audit-list.js";
import { EmptyState } from "../../components/empty-state.js";
import { Loaded } from "../../components/loaded.js";
import { account } from "./account-texts.js";
import { trpc } from "../../trpc.js";

const PAGE_SIZE = 10;

/** The operator's recent audit log entries, including rejected sign-ins to this account. */
export function Activity() {
  const { cursor } = useSearch({ from: "/signed-in/account" });
  const navigate = useNavigate({ from: "/account" });
  const activity = trpc.session.activity.useQuery(
    { limit: PAGE_SIZE, cursor },
    { placeholderData: keepPreviousData },
  );
  return (
    <Loaded query={activity}>
      {({ lines, previousCursor, nextCursor }) =>
        lines.length === 0 && cursor === undefined ? (
          <EmptyState title={account.noActivity} />
        ) : (
          <AuditList
            isOnePerson
            lines={lines}
            pages={{
              cursor,
              previousCursor,
              nextCursor,
              onCursorChange: (next) => void navigate({ search: next === undefined ? {} : { cursor: next } }),
            }}
            isFetching={activity.isPlaceholderData}
          />
        )
      }
    </Loaded>
  );
}
