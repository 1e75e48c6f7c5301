import type { ChainAlias } from '@firn/codec'
import type { Exceptions } from './masks.ts'
import type { Heights } from './PointInTime.ts'

/** Files that are replayed one after the other against the same newly started nodes. */
export interface Stage {
  /** File names without extension. */
  readonly files: readonly string[]
  /** Heights of the chains. A missing chain is at its last recorded block. */
  readonly heights: Heights
  /** Time of the recording, in milliseconds since 1970. */
  readonly now: number
  /**
   * Plugins to add to the nodes' plugin folder before the given line (counted from 1) of the given file is
   * replayed.
   */
  readonly plugins?: readonly { readonly file: string; readonly line: number; readonly add: Plugins }[]
}

/** Contents of the files in a plugin folder, by file name. */
export type Plugins = Readonly<Record<string, string>>

/** A node of a recorded network, with the settings that differ from default flags. */
export interface RecordedNode {
  readonly nodeId: string
  readonly hasIndex: boolean
  readonly hasAdmin: boolean
  /**
   * Container that the node's index lacks, because the index was disabled when the container was accepted.
   */
  readonly missed?: { readonly chain: ChainAlias; readonly height: bigint }
  /** Subnets whose chains the node runs. */
  readonly tracks: readonly string[]
}

/** Plan for replaying the transcripts of a folder, or for comparing point-in-time recordings of a node. */
export interface Plan {
  /**
   * Stages in order. The list is empty for point-in-time recordings, because each of them is a separate
   * stage.
   */
  readonly stages: readonly Stage[]
  /** Plugins that are installed when the nodes start. */
  readonly plugins: Plugins
  /** Nodes by HTTP port. */
  readonly nodes: Readonly<Record<number, RecordedNode>>
  /** Chain names in requests to an upstream, by the chain alias in recorded paths. */
  readonly upstreamNames: Readonly<Record<string, string>>
  readonly exceptions: Exceptions
}
