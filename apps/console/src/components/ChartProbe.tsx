import { useState } from 'preact/hooks'
import { format } from '../format/Times.ts'
import { useSettings } from '../state/Settings.ts'
import type { Line } from './Chart.tsx'

/** The lines of a chart, and how their values read. */
export interface Probed {
  readonly name: string
  readonly lines: readonly Line[]
  readonly unit: string
  readonly toText: (value: number) => string
}

/** The values of all lines at one time. */
export interface Reading {
  readonly at: number
  /** The value of each line, if it has one at this time. */
  readonly values: readonly (number | undefined)[]
}

/** Returns the values at each time at which any line has one, in order of time. */
export function readingsOf(lines: readonly Line[]): readonly Reading[] {
  const byTime = lines.map(({ points }) => new Map(points.map(({ at, value }) => [at, value])))
  const all = new Set(byTime.flatMap((one) => [...one.keys()]))
  return [...all]
    .sort((one, other) => one - other)
    .map((at) => ({ at, values: byTime.map((one) => one.get(at)) }))
}

/** Steps of the keys, in readings. The first and the last reading are as far as any can be. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/** State of {@link ChartProbe}. */
export interface Probe {
  /** The reading that the pointer or the keys have reached; by default none. */
  readonly index: number | undefined
  readonly move: (index: number | undefined) => void
}

/** Returns the state of a probe, which forgets its place when the readings change. */
export function useProbe(readings: readonly Reading[]): Probe {
  const [place, setPlace] = useState<{ readings: readonly Reading[]; index: number }>()
  return {
    index: place?.readings === readings ? place.index : undefined,
    move: (index) => setPlace(index === undefined ? undefined : { readings, index }),
  }
}

/**
 * Lies over the drawing of a chart. The pointer or the arrow keys choose a time, whose values are shown below the drawing
 * and announced by screen readers, to which this is a slider.
 */
export function ChartProbe({
  readings,
  probe: { index, move },
  timeAt,
  ...probed
}: Probed & {
  readonly readings: readonly Reading[]
  readonly probe: Probe
  /** Returns the time that is drawn at a share of the width. */
  readonly timeAt: (share: number) => number
}) {
  const { times } = useSettings()
  const last = readings.length - 1
  const current = index ?? last
  const onPointer = ({ clientX, currentTarget }: PointerEvent & { readonly currentTarget: Element }) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    move(nearest(readings, timeAt((clientX - left) / width)))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (event.key === 'Escape') move(undefined)
    if (step === undefined) return
    event.preventDefault()
    move(Math.max(0, Math.min(last, current + step)))
  }
  return (
    <>
      <div
        class="probe"
        role="slider"
        tabIndex={0}
        aria-label={`Values of ${probed.name}`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={current}
        aria-valuetext={describe(readings[current], probed, times)}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={() => move(undefined)}
        onKeyDown={onKeyDown}
        onBlur={() => move(undefined)}
      />
      <p class="reading" aria-hidden="true">
        {index === undefined ? 'Latest: ' : ''}
        {describe(readings[current], probed, times)}
      </p>
    </>
  )
}

function describe(
  reading: Reading | undefined,
  { lines, unit, toText }: Probed,
  times: Parameters<typeof format>[1],
): string {
  if (reading === undefined) return ''
  const words = reading.values.map((value, index) => {
    const name = lines.length > 1 ? `${lines[index]?.name} ` : ''
    return value === undefined ? `${name}no value` : `${name}${toText(value)} ${unit}`.trim()
  })
  return `${format(reading.at, times)}, ${words.join(', ')}`
}

/** Returns the index of the reading whose time is nearest. */
function nearest(readings: readonly Reading[], time: number): number {
  const after = readings.findIndex(({ at }) => at >= time)
  if (after <= 0) return after < 0 ? readings.length - 1 : 0
  const [before, next] = [readings[after - 1] as Reading, readings[after] as Reading]
  return time - before.at < next.at - time ? after - 1 : after
}
