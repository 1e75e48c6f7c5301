import type { Archive } from './Archive.ts'
import type { Heights } from './Moments.ts'
import type { RecordedNode } from './Plan.ts'
import type { Witness } from './Witness.ts'

/** Options of a node API that replaces one recorded node at one time. */
export interface NodeApiOptions {
  readonly archive: Archive
  readonly node: RecordedNode
  readonly witness: Witness
  readonly heights: Heights
  /** The time in milliseconds since 1970. */
  readonly now: number
  /** An empty data folder. */
  readonly folder: string
  /** Folder of its plugins; more may be added while it runs. */
  readonly pluginFolder: string
  /** Base URL of the node that serves what a replica cannot. */
  readonly upstream: string
}

/** A running node API. */
export interface NodeApi {
  readonly port: number
  close(): Promise<void>
}

/** Starts a node API; tests can pass a substitute. */
export type StartNodeApi = (options: NodeApiOptions) => Promise<NodeApi>
