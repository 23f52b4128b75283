import { Button } from "@mantine/core";
import { IconFileTypeCsv } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Empty } from "../../components/empty.js";
import { Loaded } from "../../components/loaded.js";
import { Page } from "../../components/page.js";
import { useProjectRef } from "../../components/use-project.js";
import { common } from "../../texts/common.js";
import { files as texts } from "../../texts/files.js";
import { trpc } from "../../trpc.js";
import { csvUrl } from "./csv-url.js";
import { FileList } from "./file-list.js";
import { type FilesSearch, filtersOf, withoutEmpty } from "./files-search.js";
import { FilterBar } from "./filter-bar.js";

/** All files of a project: filtered, sorted, a page at a time, as the address says. */
export function FilesPage() {
  const projectRef = useProjectRef();
  const search = useSearch({ from: "/signed-in/projects/$projectRef/files" });
  const navigate = useNavigate({ from: "/projects/$projectRef/files" });
  const query = trpc.files.list.useQuery({ projectRef, ...search }, { placeholderData: keepPreviousData });
  const filters = filtersOf(search);
  const isEmpty =
    !query.isPlaceholderData &&
    query.data?.files.length === 0 &&
    query.data.nextCursor === null &&
    Object.keys(filters).length === 0 &&
    search.cursor === undefined;
  /** Another list begins with its first page. */
  const change = (changed: Parameters<typeof withoutEmpty>[0]) =>
    void navigate({
      search: ({ cursor: _, ...now }) => withoutEmpty({ ...now, ...changed }),
      // What is typed is one step back, however many pauses it was typed with.
      replace: "q" in changed && search.q !== undefined && Boolean(changed.q),
    });
  return (
    <Page
      title={texts.title}
      hint={texts.hint}
      actions={
        !isEmpty && (
          <Button
            variant="default"
            component="a"
            href={csvUrl(projectRef, search)}
            download
            leftSection={<IconFileTypeCsv size={16} />}
          >
            {common.asCsv}
          </Button>
        )
      }
    >
      {!isEmpty && <FilterBar filters={filters} onChange={change} />}
      <Loaded query={query}>
        {({ files, nextCursor }) =>
          isEmpty ? (
            <Empty title={texts.none} hint={texts.noneHint} />
          ) : (
            <FileList
              projectRef={projectRef}
              files={files}
              nextCursor={nextCursor}
              search={search}
              isFetching={query.isPlaceholderData}
              onSort={change}
              onGo={(cursor) =>
                void navigate({
                  search: ({ cursor: _, ...now }: FilesSearch) => withoutEmpty({ ...now, cursor }),
                })
              }
            />
          )
        }
      </Loaded>
    </Page>
  );
}
