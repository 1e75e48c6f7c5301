import { Counter, Gauge, type Registry } from 'prom-client'

/** Reasons why a server refuses or ends a connection. */
export const REASONS = [
  'total',
  'address',
  'banned',
  'descriptors',
  'unread',
  'half-open',
  'pipelined',
] as const
export type Reason = (typeof REASONS)[number]

/** Prometheus metrics of the connections of a service. */
export interface ConnectionMetrics {
  /** Adds a listener. Its counters start at zero, so that rates are right from the first refusal on. */
  listen(listener: string): void
  /** Counts a connection that was refused or ended because of a limit. */
  ended(listener: string, reason: Reason): void
}

/**
 * Adds the metrics `<prefix>_connections` and `<prefix>_refused_connections_total` to a registry. `open` returns the
 * number of open connections of each listener.
 */
export function create(
  prefix: string,
  registry: Registry,
  open: () => ReadonlyMap<string, number>,
): ConnectionMetrics {
  const registers = [registry]
  new Gauge({
    name: `${prefix}_connections`,
    help: 'Number of open connections, by listener',
    labelNames: ['listener'],
    registers,
    collect() {
      for (const [listener, count] of open()) this.set({ listener }, count)
    },
  })
  const refused = new Counter({
    name: `${prefix}_refused_connections_total`,
    help: 'Number of connections refused or closed because of a limit, by listener and reason',
    labelNames: ['listener', 'reason'],
    registers,
  })
  return {
    listen(listener) {
      for (const reason of REASONS) refused.inc({ listener, reason }, 0)
    },
    ended: (listener, reason) => refused.inc({ listener, reason }),
  }
}
