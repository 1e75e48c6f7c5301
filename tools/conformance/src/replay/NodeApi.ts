import type { Archive } from './Archive.ts'
import type { Heights } from './Moments.ts'
import type { RecordedNode } from './Plan.ts'
import type { Witness } from './Witness.ts'

/** What a node API that stands in for one recorded node at one time is made from. */
export interface NodeApiOptions {
  readonly archive: Archive
  readonly node: RecordedNode
  readonly witness: Witness
  readonly heights: Heights
  /** Milliseconds since 1970. */
  readonly now: number
  /** An empty folder for what it keeps. */
  readonly folder: string
  /** Where its plugins lie; they may become more while it runs. */
  readonly pluginFolder: string
  /** Base URL of the node that what a replica can't answer is passed on to. */
  readonly upstream: string
}

/** A running node API. */
export interface NodeApi {
  readonly port: number
  close(): Promise<void>
}

/** Starts a node API; the runner of recordings passes the real one. */
export type StartNodeApi = (options: NodeApiOptions) => Promise<NodeApi>
