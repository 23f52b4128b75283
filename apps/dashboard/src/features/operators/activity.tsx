import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { AuditList } from "../../components/audit-list.js";
import { Empty } from "../../components/empty.js";
import { Loaded } from "../../components/loaded.js";
import { account } from "../../texts/account.js";
import { trpc } from "../../trpc.js";

const LINES = 10;

/** What the person did lately, or somebody in their name: refused sign-ins too. */
export function Activity() {
  const { cursor } = useSearch({ from: "/signed-in/account" });
  const navigate = useNavigate({ from: "/account" });
  const activity = trpc.session.activity.useQuery(
    { limit: LINES, cursor },
    { placeholderData: keepPreviousData },
  );
  return (
    <Loaded query={activity}>
      {({ lines, nextCursor }) =>
        lines.length === 0 && cursor === undefined ? (
          <Empty title={account.noActivity} />
        ) : (
          <AuditList
            isOfOne
            lines={lines}
            nextCursor={nextCursor}
            cursor={cursor}
            onGo={(next) => void navigate({ search: next === undefined ? {} : { cursor: next } })}
            isFetching={activity.isPlaceholderData}
          />
        )
      }
    </Loaded>
  );
}
