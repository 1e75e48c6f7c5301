import { NodeId } from '@firn/codec'
import { Peers } from '@firn/node-api'

/** What was measured of a node. */
export interface Measured {
  /** 20 bytes. */
  readonly nodeId: Uint8Array
  /** Since when it is watched; milliseconds since 1970. */
  readonly since: number
  /** Milliseconds of it that the node was not connected. */
  readonly down: number
}

interface Entry {
  readonly nodeId: Uint8Array
  readonly since: number
  down: number
  /** When the connection was lost, or the watch began without one; undefined while it stands. */
  goneAt: number | undefined
}

/**
 * How much of the time validators were connected. As at a node, the time in which this process did not run counts as time that
 * they were up.
 */
export class Uptimes {
  readonly #now: () => number
  readonly #entries = new Map<string, Entry>()

  /** @param now milliseconds since 1970 @param measured what was measured before */
  constructor(now: () => number, measured: readonly Measured[] = []) {
    this.#now = now
    for (const { nodeId, since, down } of measured) {
      this.#entries.set(Peers.key(nodeId), { nodeId, since, down, goneAt: undefined })
    }
  }

  /** Watches exactly these nodes from now on; of others nothing is kept. */
  watch(nodeIds: readonly Uint8Array[], isConnected: (nodeId: Uint8Array) => boolean): void {
    const now = this.#now()
    const wanted = new Set(nodeIds.map(Peers.key))
    for (const known of [...this.#entries.keys()]) if (!wanted.has(known)) this.#entries.delete(known)
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

  /** Returns the part of the time that a node was connected, from 0 to 1; undefined for one that is not watched. */
  of(nodeId: Uint8Array): number | undefined {
    const entry = this.#entries.get(Peers.key(nodeId))
    if (entry === undefined) return undefined
    const watched = this.#now() - entry.since
    if (watched <= 0) return 1
    return Math.min(1, Math.max(0, 1 - this.#downOf(entry) / watched))
  }

  /** Returns what is measured up to now, to be kept. */
  measured(): Measured[] {
    return [...this.#entries.values()].map((entry) => ({
      nodeId: entry.nodeId,
      since: entry.since,
      down: this.#downOf(entry),
    }))
  }

  #downOf({ down, goneAt }: Entry): number {
    // A clock that was set back takes no time away.
    return goneAt === undefined ? down : down + Math.max(0, this.#now() - goneAt)
  }
}

/** What was measured as JSON text: NodeID → since and down in milliseconds. */
export function format(measured: readonly Measured[]): string {
  const json = Object.fromEntries(
    measured.map(({ nodeId, since, down }) => [NodeId.format(nodeId), { since, down }]),
  )
  return `${JSON.stringify(json, null, 1)}\n`
}

/** Reads {@link format}'s text; undefined for a text that is none. */
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
