import type { Heights } from './Moments.ts'
import type { Exceptions } from './masks.ts'

/** Files that are replayed one after the other against the same newly started nodes. */
export interface Stage {
  /** Names without extension. */
  readonly files: readonly string[]
  /** Heights of the chains; a missing chain is at its last recorded block. */
  readonly heights: Heights
  /** Time of the recording, in milliseconds since 1970. */
  readonly now: number
  /** Plugins that were added to the nodes' plugin folder before a line (from 1) was recorded. */
  readonly plugins?: readonly { readonly file: string; readonly line: number; readonly add: Plugins }[]
}

/** Files of a plugin folder: their text by name. */
export type Plugins = Readonly<Record<string, string>>

/** A node of a recorded network, with its differences from default flags. */
export interface RecordedNode {
  readonly nodeId: string
  readonly hasIndex: boolean
  readonly hasAdmin: boolean
  /** The container missing from its index, which was disabled when the container was accepted. */
  readonly missed?: { readonly chain: 'P' | 'X' | 'C'; readonly height: bigint }
  /** Subnets whose chains the node runs. */
  readonly tracks: readonly string[]
}

/** How to replay the transcripts of a folder, or to compare a node's moments. */
export interface Plan {
  /** In order; none for moments, each of which is its own stage. */
  readonly stages: readonly Stage[]
  /** Plugins that the nodes start with. */
  readonly plugins: Plugins
  /** By HTTP port. */
  readonly nodes: Readonly<Record<number, RecordedNode>>
  /** Aliases of chains in recorded paths, and the names to use in requests to an upstream. */
  readonly upstreamNames: Readonly<Record<string, string>>
  readonly exceptions: Exceptions
}
