import { type SearchOf, searchParams, text } from "../../components/search-params.js";

export const validateOperatorsSearch = searchParams({ q: text, cursor: text });
export type OperatorsSearch = SearchOf<typeof validateOperatorsSearch>;
