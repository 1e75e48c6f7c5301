import type { ComponentChildren } from 'preact'

/** One side's entry in a flow: an input or an output. */
export interface FlowEntry {
  readonly key: string
  /** Amount that decides the thickness. Only relations matter. */
  readonly amount: bigint
  readonly content: ComponentChildren
}

/** Height of an entry in pixels, also in `flow.css`. */
const ENTRY_HEIGHT = 72
const WIDTH = 160
const MOST_THICK = 40

/** A picture of inputs that flow into outputs. The lists on both sides have all amounts as text. */
export function Flow({
  inputs,
  outputs,
}: {
  readonly inputs: readonly FlowEntry[]
  readonly outputs: readonly FlowEntry[]
}) {
  const rows = Math.max(inputs.length, outputs.length, 1)
  const height = rows * ENTRY_HEIGHT
  const middle = height / 2
  const total = [...inputs, ...outputs].reduce((most, { amount }) => (amount > most ? amount : most), 1n)
  const thick = (amount: bigint) => Math.max(1.5, (Number((amount * 1000n) / total) / 1000) * MOST_THICK)
  const offset = (count: number) => (height - count * ENTRY_HEIGHT) / 2
  const center = (index: number, count: number) => offset(count) + index * ENTRY_HEIGHT + ENTRY_HEIGHT / 2
  const curve = (from: number, to: number, side: 'in' | 'out') => {
    const [x1, x2] = side === 'in' ? [0, WIDTH / 2] : [WIDTH / 2, WIDTH]
    const bend = (x1 + x2) / 2
    return `M${x1},${from}C${bend},${from} ${bend},${to} ${x2},${to}`
  }
  return (
    <div class="flow">
      <Side title="Inputs" entries={inputs} none="No inputs: newly minted, or paid by an account." />
      <svg viewBox={`0 0 ${WIDTH} ${height}`} width={WIDTH} height={height} aria-hidden="true">
        {inputs.map(({ key, amount }, index) => (
          <path
            key={key}
            d={curve(center(index, inputs.length), middle, 'in')}
            style={{ strokeWidth: thick(amount) }}
          />
        ))}
        {outputs.map(({ key, amount }, index) => (
          <path
            key={key}
            d={curve(middle, center(index, outputs.length), 'out')}
            style={{ strokeWidth: thick(amount) }}
          />
        ))}
        <circle cx={WIDTH / 2} cy={middle} r="7" />
      </svg>
      <Side title="Outputs" entries={outputs} none="No outputs." />
    </div>
  )
}

function Side({
  title,
  entries,
  none,
}: {
  readonly title: string
  readonly entries: readonly FlowEntry[]
  readonly none: string
}) {
  return (
    <section aria-label={title}>
      <h3>
        {title} <span class="muted">{entries.length}</span>
      </h3>
      {entries.length === 0 ? (
        <p class="empty">{none}</p>
      ) : (
        <ul>
          {entries.map(({ key, content }) => (
            <li key={key}>{content}</li>
          ))}
        </ul>
      )}
    </section>
  )
}
