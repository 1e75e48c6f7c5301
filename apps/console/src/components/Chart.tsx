import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { count } from '../format/Amounts.ts'
import { format } from '../format/Times.ts'
import { useSettings } from '../state/Settings.ts'
import { Empty } from './Loading.tsx'
import { Table } from './Table.tsx'

/** A value at a time in Unix seconds. */
export interface Point {
  readonly at: number
  readonly value: number
}

/** Width until the width of the chart's place is known. */
const WIDTH = 640
const HEIGHT = 200
const EDGE = { left: 72, right: 8, top: 12, bottom: 24 }

/** Properties of {@link Chart}. */
export interface ChartProps {
  /** What the chart shows; its accessible name. */
  readonly name: string
  /** Points in order of time. */
  readonly points: readonly Point[]
  /** Unit of the values, such as `AVAX`. */
  readonly unit?: string
  /** Converts a value to text; by default with thousands grouped. */
  readonly toText?: (value: number) => string
}

/** A line of values over time. The same values are available as a table, also for screen readers. */
export function Chart({ name, points, unit = '', toText = (value) => count(Math.round(value)) }: ChartProps) {
  const { times } = useSettings()
  const [isTable, setTable] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const scale = useMemo(() => scaleOf(points, width), [points, width])
  const latest = points.at(-1)
  if (latest === undefined) return <Empty>There are no values yet.</Empty>
  const label = `${name}: ${points.length} values, the latest is ${toText(latest.value)} ${unit}`
  const columns = [
    { title: 'Time', cell: ({ at }: Point) => format(at, times), text: ({ at }: Point) => format(at, 'utc') },
    {
      title: unit === '' ? 'Value' : unit,
      cell: ({ value }: Point) => toText(value),
      text: ({ value }: Point) => String(value),
      isNumber: true,
    },
  ]
  return (
    <div class="chart" ref={place}>
      {isTable ? (
        <Table
          name={name}
          rows={points}
          columns={columns}
          rowKey={({ at }) => String(at)}
          empty="No values."
        />
      ) : (
        <svg viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label}>
          {scale.marks.map((mark) => (
            <g key={mark}>
              <line
                class="grid"
                x1={EDGE.left}
                x2={width - EDGE.right}
                y1={scale.y(mark)}
                y2={scale.y(mark)}
              />
              <text class="mark" x={EDGE.left - 8} y={scale.y(mark) + 4} text-anchor="end">
                {short(mark, scale.step)}
              </text>
            </g>
          ))}
          <path
            class="area"
            d={`${scale.line}L${scale.x(latest.at)},${HEIGHT - EDGE.bottom}L${EDGE.left},${HEIGHT - EDGE.bottom}Z`}
          />
          <path class="line" d={scale.line} />
          <circle class="dot" cx={scale.x(latest.at)} cy={scale.y(latest.value)} r="3" />
          <text class="mark" x={EDGE.left} y={HEIGHT - 6}>
            {format(points[0]?.at ?? 0, times).slice(0, 10)}
          </text>
          <text class="mark" x={width - EDGE.right} y={HEIGHT - 6} text-anchor="end">
            {format(latest.at, times).slice(0, 10)}
          </text>
        </svg>
      )}
      <button type="button" class="button button-small" onClick={() => setTable(!isTable)}>
        {isTable ? 'Show as a chart' : 'Show as a table'}
      </button>
    </div>
  )
}

function scaleOf(points: readonly Point[], width: number) {
  const values = points.map(({ value }) => value)
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const step = stepOf(high - low || Math.abs(high) || 1)
  const bottom = Math.floor(low / step) * step
  const top = Math.max(Math.ceil(high / step) * step, bottom + step)
  const x = (at: number) =>
    EDGE.left + ((at - first) / (last - first || 1)) * (width - EDGE.left - EDGE.right)
  const y = (value: number) =>
    HEIGHT - EDGE.bottom - ((value - bottom) / (top - bottom)) * (HEIGHT - EDGE.top - EDGE.bottom)
  const marks = Array.from(
    { length: Math.round((top - bottom) / step) + 1 },
    (_, index) => bottom + index * step,
  )
  const line = points.map(({ at, value }, index) => `${index === 0 ? 'M' : 'L'}${x(at)},${y(value)}`).join('')
  return { x, y, step, marks, line }
}

/** Returns a round step that divides a range into about four parts. */
function stepOf(range: number): number {
  const power = 10 ** Math.floor(Math.log10(range / 4))
  return ([1, 2, 5, 10].find((factor) => factor * power >= range / 4) ?? 10) * power
}

/** Returns a mark with as many digits as the distance to the next mark needs. */
function short(value: number, step: number): string {
  const digits = Math.ceil(Math.log10(Math.max(Math.abs(value), step) / step)) + 1
  const options = {
    notation: 'compact',
    maximumSignificantDigits: Math.min(21, Math.max(1, digits)),
  } as const
  return new Intl.NumberFormat('en', options).format(value)
}

/** Returns the width of an element in pixels, and renders the component again when it changes. */
function useWidth(place: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(WIDTH)
  useEffect(() => {
    const { current } = place
    if (current === null) return undefined
    const observer = new ResizeObserver(() => setWidth(Math.max(280, current.clientWidth)))
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return width
}
