import { oneOf, type SearchOf, searchParams, text } from "../../components/search-params.js";

export type EndpointSearch = SearchOf<typeof validateEndpointSearch>;

/** What an endpoint's page shows of its log: the deliveries by state, the page, and the event whose delivery is open. */
export const validateEndpointSearch = searchParams({
  show: oneOf(["undelivered"]),
  cursor: text,
  event: text,
});
