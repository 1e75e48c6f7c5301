import { useCallback, useEffect, useRef, useState } from 'preact/hooks'

/** A list of which pages are requested one after the other. */
export interface Paged<Row> {
  readonly rows: readonly Row[]
  readonly error: unknown
  readonly isLoading: boolean
  readonly hasMore: boolean
  /** Requests the next page. */
  readonly more: () => void
}

interface State<Row> extends Omit<Paged<Row>, 'more'> {
  readonly key: string
}

const START = { rows: [], error: undefined, isLoading: true, hasMore: false }

/**
 * Requests pages of a list: the first one, and each further one when `more` is called. With `isWhole`, all pages are
 * requested without waiting.
 * @param open returns the pages of the list; see {@link rowsOf}
 */
export function usePages<Row>(
  open: (signal: AbortSignal) => AsyncIterable<RowPage<Row>>,
  dependencies: readonly unknown[],
  { isWhole = false }: { readonly isWhole?: boolean } = {},
): Paged<Row> {
  const key = JSON.stringify(dependencies)
  const [state, setState] = useState<State<Row>>({ ...START, key })
  const [round, setRound] = useState(0)
  const proceed = useRef<() => void>(() => {})
  useEffect(() => {
    const abort = new AbortController()
    const update = (change: (before: State<Row>) => State<Row>) => abort.signal.aborted || setState(change)
    const run = async () => {
      update(() => ({ ...START, key }))
      const pages = open(abort.signal)[Symbol.asyncIterator]()
      for (let next = await pages.next(); next.done !== true; ) {
        const { rows, isLast } = next.value
        update((before) => ({
          ...before,
          rows: [...before.rows, ...rows],
          isLoading: isWhole && !isLast,
          hasMore: !isLast,
        }))
        if (isLast) return
        if (!isWhole) await new Promise<void>((resolve) => (proceed.current = resolve))
        if (abort.signal.aborted) return
        update((before) => ({ ...before, isLoading: true }))
        next = await pages.next()
      }
      update((before) => ({ ...before, isLoading: false, hasMore: false }))
    }
    run().catch((error: unknown) =>
      update((before) => ({ ...before, error, isLoading: false, hasMore: true })),
    )
    return () => {
      abort.abort()
      proceed.current()
    }
  }, [key, isWhole, round])
  const hasFailed = state.error !== undefined
  // After an error the list starts again, because the position of a failed request is unknown.
  const more = useCallback(
    () => (hasFailed ? setRound((before) => before + 1) : proceed.current()),
    [hasFailed],
  )
  return state.key === key ? { ...state, more } : { ...START, more }
}

/** Rows of one page of a list. */
export interface RowPage<Row> {
  readonly rows: readonly Row[]
  readonly isLast: boolean
}

/** Converts the pages of an operation of `@firn/client` to rows. */
export async function* rowsOf<Page extends { readonly nextPageToken?: string | undefined }, Row>(
  pages: AsyncIterable<Page>,
  pick: (page: Page) => readonly Row[],
): AsyncIterable<RowPage<Row>> {
  for await (const page of pages) yield { rows: pick(page), isLast: (page.nextPageToken ?? '') === '' }
}
