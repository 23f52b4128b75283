import { Alert } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type Change, changeSearch } from "../../components/list-search.js";
import { Loaded } from "../../components/loaded.js";
import { Page } from "../../components/page.js";
import { SearchInput } from "../../components/search-input.js";
import { operators as texts } from "./operators-texts.js";
import { trpc } from "../../trpc.js";
import { OperatorList } from "./operator-list.js";
import type { OperatorsSearch } from "./operators-search.js";

/** All operators of the installation, for its administrators. Search and page come from the search parameters. */
export function OperatorsPage() {
  const me = trpc.session.me.useQuery();
  return (
    <Page title={texts.title} hint={texts.hint}>
      <Loaded query={me}>
        {({ isAdmin }) =>
          isAdmin ? (
            <Operators />
          ) : (
            <Alert color="gray" icon={<IconLock />}>
              {texts.adminsOnly}
            </Alert>
          )
        }
      </Loaded>
    </Page>
  );
}

function Operators() {
  const search = useSearch({ from: "/signed-in/operators" });
  const navigate = useNavigate();
  const query = trpc.operators.list.useQuery(search, { placeholderData: keepPreviousData });
  const go = (change: Change<OperatorsSearch>, replace = false) =>
    void navigate({ to: "/operators", search: changeSearch(search, change), replace });
  return (
    <>
      <SearchInput label={texts.search} value={search.q ?? ""} onSearch={(q) => go({ q }, true)} />
      <Loaded query={query}>
        {(page) => (
          <OperatorList
            page={page}
            isFetching={query.isPlaceholderData}
            cursor={search.cursor}
            onCursorChange={(cursor) => go({ cursor })}
          />
        )}
      </Loaded>
    </>
  );
}
