import type { Heights } from './Moments.ts'
import type { Exceptions } from './masks.ts'

/** Files that are replayed one after the other against the same nodes, freshly started. */
export interface Stage {
  /** Names without the ending. */
  readonly files: readonly string[]
  /** Heights of the chains; a chain that is not named stands at its last recorded block. */
  readonly heights: Heights
  /** When it was recorded, in milliseconds since 1970. */
  readonly now: number
  /** What was put into the plugin folder of the nodes before a line (from 1) was recorded. */
  readonly plugins?: readonly { readonly file: string; readonly line: number; readonly add: Plugins }[]
}

/** Files of a plugin folder: their text by their name. */
export type Plugins = Readonly<Record<string, string>>

/** A node of a recorded network, as far as it differs from a node with default flags. */
export interface RecordedNode {
  readonly nodeId: string
  readonly hasIndex: boolean
  readonly hasAdmin: boolean
  /** The container that its index has not, because it was off while that was accepted. */
  readonly missed?: { readonly chain: 'P' | 'X' | 'C'; readonly height: bigint }
  /** Subnets whose chains it runs. */
  readonly tracks: readonly string[]
}

/** How the transcripts of a folder are replayed, or what a node said at its moments is compared. */
export interface Plan {
  /** In their order; none for moments, each of which is a stage of its own. */
  readonly stages: readonly Stage[]
  /** Plugins that the nodes start with. */
  readonly plugins: Plugins
  /** By HTTP port. */
  readonly nodes: Readonly<Record<number, RecordedNode>>
  /** Names of chains in recorded paths, and the names under which an upstream is asked for them. */
  readonly upstreamNames: Readonly<Record<string, string>>
  readonly exceptions: Exceptions
}
