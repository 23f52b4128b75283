/**
 * How a page reads its search parameters: whatever `read` leaves out is gone, from the page and from the address. The router by
 * itself hands a page what stands in the address with what was read laid over it.
 */
export function judgeSearch<Search extends object>(read: (search: Record<string, unknown>) => Search) {
  return (search: Record<string, unknown>): Search => ({
    ...Object.fromEntries(Object.keys(search).map((name) => [name, undefined])),
    ...read(search),
  });
}
