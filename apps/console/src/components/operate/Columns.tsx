import { count as grouped } from '../../format/Amounts.ts'
import { clean } from '../../format/ChainText.ts'
import { format } from '../../format/Times.ts'
import type { Column } from '../Table.tsx'
import { Time } from '../Time.tsx'

/** Longest wrapped text in characters. */
const MOST_WRAPPED = 2_000

const NONE = <span class="muted">–</span>

/** Returns a column of texts that anyone may have written, such as names of keys and errors. */
export function textColumn<Row>(
  title: string,
  read: (row: Row) => string | undefined,
  { isWrapped = false }: { readonly isWrapped?: boolean } = {},
): Column<Row> {
  const cleaned = (row: Row) => clean(read(row) ?? '', isWrapped ? MOST_WRAPPED : undefined)
  return {
    title,
    cell: (row) => {
      const text = cleaned(row)
      return text === '' ? NONE : <bdi class={isWrapped ? 'wrapped' : undefined}>{text}</bdi>
    },
    text: cleaned,
    sort: cleaned,
  }
}

/** Returns a column of numbers. */
export function numberColumn<Row>(
  title: string,
  read: (row: Row) => number | string | undefined,
  unit = '',
): Column<Row> {
  const shown = (value: number | string) =>
    typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(1) : grouped(value)
  return {
    title,
    cell: (row) => {
      const value = read(row)
      return value === undefined ? NONE : `${shown(value)}${unit}`
    },
    text: (row) => String(read(row) ?? ''),
    sort: (row) => Number(read(row) ?? -1),
    isNumber: true,
  }
}

/** Returns a column of times in Unix seconds. */
export function timeColumn<Row>(title: string, read: (row: Row) => number | undefined): Column<Row> {
  return {
    title,
    cell: (row) => {
      const at = read(row)
      return at === undefined ? NONE : <Time at={at} />
    },
    text: (row) => {
      const at = read(row)
      return at === undefined ? '' : format(at, 'utc')
    },
    sort: (row) => read(row) ?? 0,
  }
}
