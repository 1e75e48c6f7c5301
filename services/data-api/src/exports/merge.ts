import type { Column, Read, Source } from './Table.ts'

/** Rows of one chain, oldest first. */
export interface Feed<Row> {
  /** Reads rows from a place; `after` of each row is the place behind it. */
  read(from: unknown, limit: number, signal: AbortSignal): Promise<readonly Placed<Row>[]>
}

/** A row, its time in Unix seconds, and the place behind it as JSON. */
export interface Placed<Row> {
  readonly row: Row
  readonly time: bigint
  readonly after: unknown
}

/** Merges the rows of chains by time. With one chain, no row is read twice. */
export function merge<Row>(
  columns: readonly Column<Row>[],
  feeds: readonly Feed<Row>[],
): Source<Placed<Row>> {
  return {
    columns: columns.map((column) => ({ ...column, of: ({ row }: Placed<Row>) => column.of(row) })),
    read: async (from, limit, signal): Promise<Read<Placed<Row>>> => {
      const places = Array.isArray(from) ? [...from] : feeds.map(() => null)
      const pages = await Promise.all(
        feeds.map(async (feed, i) => {
          // The place of a chain whose rows have all been read is false.
          const page = places[i] === false ? [] : await feed.read(places[i] ?? undefined, limit, signal)
          return page.map((placed) => ({ placed, chain: i }))
        }),
      )
      // Rows later than the last one of a full page could come after rows that were not read yet.
      const ends = pages.filter((page) => page.length >= limit).map((page) => page.at(-1)?.placed.time ?? 0n)
      const end = ends.reduce<bigint | undefined>((a, b) => (a === undefined || b < a ? b : a), undefined)
      const isSingle = feeds.length === 1
      const taken = pages
        .flat()
        .filter(({ placed }) => isSingle || end === undefined || placed.time <= end)
        .sort((a, b) => (a.placed.time < b.placed.time ? -1 : a.placed.time > b.placed.time ? 1 : 0))
      for (const { placed, chain } of taken) places[chain] = placed.after
      const used = new Set(taken)
      pages.forEach((page, i) => {
        const isRead = page.length < limit && page.every((one) => used.has(one))
        if (isRead && (isSingle || page.length === 0)) places[i] = false
      })
      return {
        rows: taken.map(({ placed }) => placed),
        timeOf: ({ time }) => time,
        next: places.every((place) => place === false) ? undefined : places,
      }
    },
  }
}
