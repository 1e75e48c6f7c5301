import type { ComponentChildren } from 'preact'
import type { Loaded } from '../state/useLoaded.ts'
import { ErrorNote } from './ErrorNote.tsx'
import { Loading } from './Loading.tsx'

/** Shows a requested value, or that it is loading, or the error. */
export function Loadable<T>({
  loaded,
  what,
  children,
}: {
  readonly loaded: Loaded<T>
  /** What is loaded, such as `the block`. */
  readonly what: string
  readonly children: (value: T) => ComponentChildren
}) {
  const { value, error, reload } = loaded
  return (
    <>
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {value !== undefined && children(value)}
      {value === undefined && error === undefined && <Loading what={what} />}
    </>
  )
}
