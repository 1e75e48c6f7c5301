import type { ComponentChildren } from 'preact'

/** A name and its value. A fact without a value is not shown. */
export type Fact = readonly [name: string, value: ComponentChildren]

/** A list of names and values. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** Key figures beside each other. */
export function Figures({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="figures">
      {facts
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
