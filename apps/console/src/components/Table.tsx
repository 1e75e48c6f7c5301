import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { count, countOf } from '../format/Amounts.ts'
import * as Csv from '../format/Csv.ts'
import { ErrorNote } from './ErrorNote.tsx'
import { Empty, Loading } from './Loading.tsx'

/** A value by which rows are sorted. */
type SortValue = bigint | number | string

/** A column of a table. */
export interface Column<Row> {
  readonly title: string
  /** What a cell shows. */
  readonly cell: (row: Row) => ComponentChildren
  /** Exact text of a cell, for CSV. */
  readonly text: (row: Row) => string
  /** Value by which the column sorts; absent if it cannot be sorted. */
  readonly sort?: (row: Row) => SortValue
  /** Whether cells contain numbers, which are aligned at their end. */
  readonly isNumber?: boolean
  /** A column that is shown in the same cells, below this one. In CSV files, it is a separate column. */
  readonly below?: Omit<Column<Row>, 'below'>
}

/** Properties of {@link Table}. */
export interface TableProps<Row> {
  /** What the table lists; its accessible name, and the name of the CSV file. */
  readonly name: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => string
  /** Text for a list without entries. */
  readonly empty: string
  readonly isLoading?: boolean
  readonly error?: unknown
  /** Whether more rows can be requested, and the function that does it. */
  readonly hasMore?: boolean
  readonly onMore?: () => void
  /** Controls such as filters, on the left of the table's head. */
  readonly tools?: ComponentChildren
}

/** Height of a row in pixels, also in `table.css`. */
const ROW_HEIGHT = 40
/** Tables with more rows scroll in a separate box and render only the rows in sight. */
const MOST_ROWS_AT_ONCE = 150
const ROWS_IN_ADVANCE = 12

interface Order {
  /** Title of the column. */
  readonly column: string
  readonly isDescending: boolean
}

/** A table with sorting, download as CSV, and any number of rows. */
export function Table<Row>(props: TableProps<Row>) {
  const { name, columns, rowKey, tools, empty, isLoading = false, error, hasMore = false, onMore } = props
  const [order, setOrder] = useState<Order>()
  const rows = useMemo(() => sorted(props.rows, columns, order), [props.rows, order])
  const box = useRef<HTMLDivElement>(null)
  const range = useRange(box, rows.length)
  const shown = rows.slice(range.start, range.end)
  const isEmpty = rows.length === 0
  const isSettled = !isLoading && error === undefined
  return (
    <div class="table-block">
      <div class="table-tools">
        <div class="filters">{tools}</div>
        <span class="muted" role="status">
          {rows.length === 0 ? '' : hasMore ? `${count(rows.length)}+ rows` : countOf(rows.length, 'row')}
        </span>
        {!isEmpty && (
          <button
            type="button"
            class="button button-small"
            onClick={() => Csv.download(fileName(name), Csv.format(cells(columns, rows)))}
          >
            Download CSV
          </button>
        )}
      </div>
      {!isEmpty && (
        // A box that scrolls must be reachable with the keyboard.
        <section
          ref={box}
          class={range.isPart ? 'table-box table-box-tall' : 'table-box'}
          aria-label={`Table: ${name}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll the focused box
          tabIndex={0}
        >
          <table aria-rowcount={rows.length + 1}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <Heading key={column.title} column={column} order={order} onOrder={setOrder} />
                ))}
              </tr>
            </thead>
            <tbody>
              <Space rows={range.start} columns={columns.length} />
              {shown.map((row, index) => (
                <tr key={rowKey(row)} aria-rowindex={range.start + index + 2}>
                  {columns.map((column) => (
                    <Cell key={column.title} column={column} row={row} />
                  ))}
                </tr>
              ))}
              <Space rows={rows.length - range.end} columns={columns.length} />
            </tbody>
          </table>
        </section>
      )}
      {error !== undefined && <ErrorNote error={error} {...(onMore && { onRetry: onMore })} />}
      {isLoading && <Loading what="more rows" />}
      {isEmpty && isSettled && <Empty>{empty}</Empty>}
      {hasMore && isSettled && onMore !== undefined && (
        <button type="button" class="button more" onClick={onMore}>
          Load more
        </button>
      )}
    </div>
  )
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const { title, cell, isNumber, below } = column
  return (
    <td class={isNumber === true ? 'number' : undefined} data-title={title}>
      {below === undefined ? (
        cell(row)
      ) : (
        <div class="stack">
          <div>{cell(row)}</div>
          <div>{below.cell(row)}</div>
        </div>
      )}
    </td>
  )
}

interface HeadingProps<Row> {
  readonly column: Column<Row>
  readonly order: Order | undefined
  readonly onOrder: (order: Order) => void
}

function Heading<Row>({ column, order, onOrder }: HeadingProps<Row>) {
  const parts = partsOf(column)
  const isCurrent = parts.some(({ title }) => title === order?.column)
  const direction = order?.isDescending === true ? 'descending' : 'ascending'
  return (
    <th
      scope="col"
      class={column.isNumber === true ? 'number' : undefined}
      aria-sort={isCurrent ? direction : undefined}
    >
      {parts.map((part, index) => (
        <>
          {index > 0 && <span class="and">, </span>}
          <HeadingPart key={part.title} column={part} order={order} onOrder={onOrder} />
        </>
      ))}
    </th>
  )
}

function HeadingPart<Row>({ column: { title, sort, isNumber }, order, onOrder }: HeadingProps<Row>) {
  if (sort === undefined) return <>{title}</>
  const isCurrent = order?.column === title
  // Numbers are mostly searched from the largest one, texts from A.
  const isDescending = isCurrent ? !order.isDescending : isNumber === true
  return (
    <button
      type="button"
      class={isCurrent ? 'sort sort-current' : 'sort'}
      onClick={() => onOrder({ column: title, isDescending })}
    >
      {title}
      <svg viewBox="0 0 8 12" width="8" height="12" aria-hidden="true">
        <path class="up" d="M1 4.5 4 1.5l3 3" />
        <path class="down" d="M1 7.5l3 3 3-3" />
      </svg>
    </button>
  )
}

/** Returns the columns in the cells of a column. */
function partsOf<Row>(column: Column<Row>): readonly Column<Row>[] {
  return column.below === undefined ? [column] : [column, column.below]
}

/** Takes the place of rows that are out of sight. */
function Space({ rows, columns }: { readonly rows: number; readonly columns: number }) {
  if (rows <= 0) return null
  return (
    <tr class="space">
      <td colSpan={columns} style={{ height: `${rows * ROW_HEIGHT}px` }} />
    </tr>
  )
}

/** Returns the range of rows to render: all rows of a short table, otherwise those in sight. */
function useRange(box: { readonly current: HTMLElement | null }, count: number) {
  const isPart = count > MOST_ROWS_AT_ONCE
  const [view, setView] = useState({ top: 0, height: 800 })
  useEffect(() => {
    const element = box.current
    if (!isPart || element === null) return undefined
    const update = () => setView({ top: element.scrollTop, height: element.clientHeight })
    update()
    element.addEventListener('scroll', update, { passive: true })
    addEventListener('resize', update)
    return () => {
      element.removeEventListener('scroll', update)
      removeEventListener('resize', update)
    }
  }, [isPart])
  if (!isPart) return { isPart, start: 0, end: count }
  const start = Math.max(0, Math.min(count, Math.floor(view.top / ROW_HEIGHT)) - ROWS_IN_ADVANCE)
  const end = Math.min(count, Math.ceil((view.top + view.height) / ROW_HEIGHT) + ROWS_IN_ADVANCE)
  return { isPart, start, end }
}

function sorted<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  order: Order | undefined,
): readonly Row[] {
  const value = columns.flatMap(partsOf).find(({ title }) => title === order?.column)?.sort
  if (order === undefined || value === undefined) return rows
  const sign = order.isDescending ? -1 : 1
  const keyed = rows.map((row) => ({ row, key: value(row) }))
  keyed.sort((one, other) => (one.key < other.key ? -sign : one.key > other.key ? sign : 0))
  return keyed.map(({ row }) => row)
}

function cells<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly (readonly string[])[] {
  const all = columns.flatMap(partsOf)
  return [all.map(({ title }) => title), ...rows.map((row) => all.map(({ text }) => text(row)))]
}

function fileName(name: string): string {
  return `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.csv`
}
