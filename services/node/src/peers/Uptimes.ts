import { NodeId } from '@firn/codec'
import { Peers } from '@firn/node-api'

/** Measurement of one node. */
export interface Measured {
  /** NodeID of 20 bytes. */
  readonly nodeId: Uint8Array
  /** Start of the measurement, in milliseconds since 1970. */
  readonly since: number
  /** Milliseconds of downtime since the start of the measurement. */
  readonly down: number
}

interface Entry {
  readonly nodeId: Uint8Array
  readonly since: number
  down: number
  /**
   * Time at which the connection was lost, or at which the measurement started without a connection;
   * undefined while connected.
   */
  goneAt: number | undefined
}

/**
 * Measures the share of time for which validators were connected. As in a node, the time in which this
 * process did not run counts as uptime.
 */
export class Uptimes {
  readonly #now: () => number
  readonly #entries = new Map<string, Entry>()

  /**
   * Creates a measurement.
   * @param now returns the time in milliseconds since 1970
   * @param measured earlier measurements
   */
  constructor(now: () => number, measured: readonly Measured[] = []) {
    this.#now = now
    for (const { nodeId, since, down } of measured) {
      this.#entries.set(Peers.key(nodeId), { nodeId, since, down, goneAt: undefined })
    }
  }

  /** Measures the given nodes from now on, and stops the measurement of all other nodes. */
  watch(nodeIds: readonly Uint8Array[], isConnected: (nodeId: Uint8Array) => boolean): void {
    const now = this.#now()
    const keys = new Set(nodeIds.map(Peers.key))
    for (const known of [...this.#entries.keys()]) if (!keys.has(known)) this.#entries.delete(known)
    for (const nodeId of nodeIds) {
      const entry = this.#entries.get(Peers.key(nodeId)) ?? {
        nodeId,
        since: now,
        down: 0,
        goneAt: undefined,
      }
      this.#entries.set(Peers.key(nodeId), entry)
      if (!isConnected(nodeId)) entry.goneAt ??= now
    }
  }

  onConnected(nodeId: Uint8Array): void {
    const entry = this.#entries.get(Peers.key(nodeId))
    if (entry === undefined) return
    entry.down = this.#downOf(entry)
    entry.goneAt = undefined
  }

  onDisconnected(nodeId: Uint8Array): void {
    const entry = this.#entries.get(Peers.key(nodeId))
    if (entry !== undefined) entry.goneAt ??= this.#now()
  }

  /** Returns the uptime of a node as a fraction from 0 to 1; undefined if the node is not measured. */
  of(nodeId: Uint8Array): number | undefined {
    const entry = this.#entries.get(Peers.key(nodeId))
    if (entry === undefined) return undefined
    const watched = this.#now() - entry.since
    if (watched <= 0) return 1
    return Math.min(1, Math.max(0, 1 - this.#downOf(entry) / watched))
  }

  /** Returns the current measurements, which the caller can save. */
  measured(): Measured[] {
    return [...this.#entries.values()].map((entry) => ({
      nodeId: entry.nodeId,
      since: entry.since,
      down: this.#downOf(entry),
    }))
  }

  #downOf({ down, goneAt }: Entry): number {
    // The downtime must not shrink if the clock was set back.
    return goneAt === undefined ? down : down + Math.max(0, this.#now() - goneAt)
  }
}

/** Formats measurements as JSON that maps each NodeID to its start and its downtime in milliseconds. */
export function format(measured: readonly Measured[]): string {
  const json = Object.fromEntries(
    measured.map(({ nodeId, since, down }) => [NodeId.format(nodeId), { since, down }]),
  )
  return `${JSON.stringify(json, null, 1)}\n`
}

/** Parses the output of {@link format}. Returns undefined if the text is invalid. */
export function parse(text: string): Measured[] | undefined {
  try {
    const json = JSON.parse(text) as Readonly<
      Record<string, { readonly since: unknown; readonly down: unknown }>
    >
    const measured = Object.entries(json).map(([nodeId, { since, down }]) => ({
      nodeId: NodeId.parse(nodeId),
      since: Number(since),
      down: Number(down),
    }))
    return measured.every(({ since, down }) => since > 0 && down >= 0) ? measured : undefined
  } catch {
    return undefined
  }
}
