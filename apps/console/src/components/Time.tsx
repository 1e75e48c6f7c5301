import { format, relative } from '../format/Times.ts'
import { useSettings } from '../state/Settings.ts'

/** A time in Unix seconds, local or in UTC as the user chose, with the distance from now. */
export function Time({ at, withDistance = false }: { readonly at: number; readonly withDistance?: boolean }) {
  const { times } = useSettings()
  const date = new Date(at * 1000)
  const exact = Number.isNaN(date.getTime()) ? undefined : date.toISOString()
  return (
    <time class="time" dateTime={exact} title={`${format(at, 'utc')} UTC`}>
      {format(at, times)}
      {times === 'utc' && <span class="unit"> UTC</span>}
      {withDistance && <span class="muted"> ({relative(at)})</span>}
    </time>
  )
}
