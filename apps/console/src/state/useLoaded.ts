import { useCallback, useEffect, useState } from 'preact/hooks'

/** A value that is requested when a component is shown. */
export interface Loaded<T> {
  readonly value: T | undefined
  readonly error: unknown
  readonly isLoading: boolean
  /** Requests the value again. */
  readonly reload: () => void
}

/**
 * Requests a value, and requests it again when a dependency changes. The request is aborted when the component is
 * removed. The previous value stays until the next one arrives, unless a dependency has changed.
 * @param everyMs requests the value again after this time, while the page is visible
 */
export function useLoaded<T>(
  request: (signal: AbortSignal) => Promise<T>,
  dependencies: readonly unknown[],
  everyMs?: number,
): Loaded<T> {
  const [round, setRound] = useState(0)
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'> & { readonly key: string }>({
    value: undefined,
    error: undefined,
    isLoading: true,
    key: '',
  })
  const key = JSON.stringify(dependencies)
  useEffect(() => {
    const abort = new AbortController()
    const isSame = (one: { readonly key: string }) => one.key === key
    setState((before) => ({
      value: isSame(before) ? before.value : undefined,
      error: undefined,
      isLoading: true,
      key,
    }))
    request(abort.signal).then(
      (value) => abort.signal.aborted || setState({ value, error: undefined, isLoading: false, key }),
      (error: unknown) =>
        abort.signal.aborted ||
        setState((before) => ({
          value: isSame(before) ? before.value : undefined,
          error,
          isLoading: false,
          key,
        })),
    )
    return () => abort.abort()
  }, [key, round])
  useEffect(() => {
    if (everyMs === undefined) return undefined
    const timer = setInterval(() => document.hidden || setRound((before) => before + 1), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  const reload = useCallback(() => setRound((before) => before + 1), [])
  return state.key === key
    ? { value: state.value, error: state.error, isLoading: state.isLoading, reload }
    : { value: undefined, error: undefined, isLoading: true, reload }
}
