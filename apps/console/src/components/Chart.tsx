import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { count } from '../format/Amounts.ts'
import { format } from '../format/Times.ts'
import { useSettings } from '../state/Settings.ts'
import { ChartProbe, type Probed, type Reading, readingsOf, useProbe } from './ChartProbe.tsx'
import { Empty } from './Loading.tsx'
import { Table } from './Table.tsx'

/** A value at a time in Unix seconds. */
export interface Point {
  readonly at: number
  readonly value: number
}

/** A line of a chart. */
export interface Line {
  readonly name: string
  /** Points in order of time. */
  readonly points: readonly Point[]
}

/** Width until the width of the chart's place is known. */
const WIDTH = 640
const HEIGHT = 200
const EDGE = { right: 8, top: 12, bottom: 24 }
/** Width of a digit of a mark, and the distance between marks and lines. */
const [DIGIT, GAP] = [7.5, 8]

/** Properties of {@link Chart}. */
export interface ChartProps {
  /** What the chart shows; its accessible name. */
  readonly name: string
  /** The lines, at most two. */
  readonly lines: readonly Line[]
  /** Unit of the values, such as `AVAX`. */
  readonly unit?: string
  /** Converts a value to text; by default with thousands grouped. */
  readonly toText?: (value: number) => string
}

/**
 * Lines of values over time. The pointer and the arrow keys show the values at a time. The same values are available as a
 * table, also for screen readers.
 */
export function Chart(props: ChartProps) {
  const { name, unit = '', toText = (value) => count(Math.round(value)) } = props
  const [isTable, setTable] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const lines = useMemo(() => props.lines.filter(({ points }) => points.length > 0), [props.lines])
  if (lines.length === 0) return <Empty>There are no values yet.</Empty>
  return (
    <div class="chart" ref={place}>
      {props.lines.length > 1 && <Legend lines={props.lines} />}
      {isTable ? (
        <Values name={name} lines={lines} unit={unit} toText={toText} />
      ) : (
        <Drawing
          probed={{ name, lines, unit, toText }}
          width={width}
          styles={lines.map((line) => LINES[props.lines.indexOf(line)] ?? '')}
          label={`${name}: ${lines.map((line) => describe(line, toText)).join('; ')} ${unit}`.trim()}
        />
      )}
      <button type="button" class="button button-small" onClick={() => setTable(!isTable)}>
        {isTable ? 'Show as a chart' : 'Show as a table'}
      </button>
    </div>
  )
}

/** Classes of the lines in their order. */
const LINES = ['', 'other']

function describe({ name, points }: Line, toText: (value: number) => string): string {
  return `${points.length} values of ${name}, the latest is ${toText(points.at(-1)?.value ?? 0)}`
}

function Legend({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <ul class="legend">
      {lines.map(({ name, points }, index) => (
        <li key={name} class={LINES[index]}>
          <svg viewBox="0 0 24 8" width="24" height="8" aria-hidden="true">
            <path class="line" d="M0,4L24,4" />
          </svg>
          <bdi>{name}</bdi>
          {points.length === 0 && <span class="muted">no values</span>}
        </li>
      ))}
    </ul>
  )
}

function Values({ name, lines, unit = '', toText = String }: ChartProps) {
  const { times } = useSettings()
  const titleOf = (line: Line) => (lines.length > 1 ? `${line.name} ${unit}`.trim() : unit || 'Value')
  return (
    <Table
      name={name}
      rows={readingsOf(lines)}
      columns={[
        { title: 'Time', cell: ({ at }) => format(at, times), text: ({ at }) => format(at, 'utc') },
        ...lines.map((line, index) => ({
          title: titleOf(line),
          cell: ({ values }: Reading) => (values[index] === undefined ? '–' : toText(values[index])),
          text: ({ values }: Reading) => String(values[index] ?? ''),
          isNumber: true,
        })),
      ]}
      rowKey={({ at }) => String(at)}
      empty="No values."
    />
  )
}

function Drawing({
  probed,
  width,
  styles,
  label,
}: {
  readonly probed: Probed
  readonly width: number
  readonly styles: readonly string[]
  readonly label: string
}) {
  const { times } = useSettings()
  const { lines } = probed
  const scale = useMemo(() => scaleOf(lines, width), [lines, width])
  const readings = useMemo(() => readingsOf(lines), [lines])
  const probe = useProbe(readings)
  const reading = probe.index === undefined ? undefined : readings[probe.index]
  const [only] = lines.length === 1 ? lines : []
  const [first, last] = scale.times
  return (
    <div class="drawing">
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label}>
        {scale.marks.map((mark) => (
          <g key={mark}>
            <line
              class="grid"
              x1={scale.left}
              x2={width - EDGE.right}
              y1={scale.y(mark)}
              y2={scale.y(mark)}
            />
            <text class="mark" x={scale.left - GAP} y={scale.y(mark) + 4} text-anchor="end">
              {short(mark, scale.step)}
            </text>
          </g>
        ))}
        {only !== undefined && (
          <path
            class="area"
            d={`${scale.path(only)}L${scale.x(last)},${HEIGHT - EDGE.bottom}L${scale.left},${HEIGHT - EDGE.bottom}Z`}
          />
        )}
        {lines.map((line, index) => (
          <g key={line.name} class={styles[index]}>
            <path class="line" d={scale.path(line)} />
            <Dot point={line.points.at(-1)} scale={scale} />
            <Dot point={pointOf(reading, index)} scale={scale} />
          </g>
        ))}
        {reading !== undefined && (
          <line
            class="chosen"
            x1={scale.x(reading.at)}
            x2={scale.x(reading.at)}
            y1={EDGE.top}
            y2={HEIGHT - EDGE.bottom}
          />
        )}
        <text class="mark" x={scale.left} y={HEIGHT - 6}>
          {format(first, times).slice(0, 10)}
        </text>
        <text class="mark" x={width - EDGE.right} y={HEIGHT - 6} text-anchor="end">
          {format(last, times).slice(0, 10)}
        </text>
      </svg>
      <ChartProbe
        {...probed}
        readings={readings}
        probe={probe}
        timeAt={(share) => scale.timeAt(share * width)}
      />
    </div>
  )
}

function pointOf(reading: Reading | undefined, index: number): Point | undefined {
  const value = reading?.values[index]
  return reading === undefined || value === undefined ? undefined : { at: reading.at, value }
}

function Dot({ point, scale }: { readonly point: Point | undefined; readonly scale: Scale }) {
  if (point === undefined) return null
  return <circle class="dot" cx={scale.x(point.at)} cy={scale.y(point.value)} r="3" />
}

type Scale = ReturnType<typeof scaleOf>

function scaleOf(lines: readonly Line[], width: number) {
  const all = lines.flatMap(({ points }) => points)
  const [low, high] = rangeOf(all.map(({ value }) => value))
  const [first, last] = rangeOf(all.map(({ at }) => at))
  const step = stepOf(high - low || Math.abs(high) || 1)
  const bottom = Math.floor(low / step) * step
  const top = Math.max(Math.ceil(high / step) * step, bottom + step)
  const y = (value: number) =>
    HEIGHT - EDGE.bottom - ((value - bottom) / (top - bottom)) * (HEIGHT - EDGE.top - EDGE.bottom)
  const marks = Array.from(
    { length: Math.round((top - bottom) / step) + 1 },
    (_, index) => bottom + index * step,
  )
  const left = GAP + DIGIT * Math.max(...marks.map((mark) => short(mark, step).length))
  const x = (at: number) => left + ((at - first) / (last - first || 1)) * (width - left - EDGE.right)
  const timeAt = (place: number) => first + ((place - left) / (width - left - EDGE.right)) * (last - first)
  const path = ({ points }: Line) =>
    points.map(({ at, value }, index) => `${index === 0 ? 'M' : 'L'}${x(at)},${y(value)}`).join('')
  return { left, x, y, step, marks, path, timeAt, times: [first, last] as const }
}

function rangeOf(values: readonly number[]): readonly [low: number, high: number] {
  return [Math.min(...values), Math.max(...values)]
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
