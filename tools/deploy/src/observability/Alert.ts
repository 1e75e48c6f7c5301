/** An alert rule, its page in the documentation, and series with which it is rehearsed. */
export interface Alert {
  /** Name in Prometheus, such as `IndexerBehind`. */
  readonly name: string
  readonly severity: 'critical' | 'warning'
  /** PromQL expression that returns series while the condition holds. */
  readonly expr: string
  /** How long the condition must hold, such as `10m`. */
  readonly for: string
  /** One line for the notification; `{{ $labels.chain }}` is a label of the series. */
  readonly summary: string
  /** What the alert means for users. */
  readonly meaning: string
  /** What to do, in order. */
  readonly steps: readonly string[]
  /** Series, as in `promtool test rules` with one value each minute for an hour, with which the alert fires. */
  readonly fires: Readonly<Record<string, string>>
  /** Series of a service that is well. They are similar to those in `fires`. */
  readonly silent: Readonly<Record<string, string>>
}
