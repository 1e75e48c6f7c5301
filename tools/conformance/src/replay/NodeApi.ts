import type { Archive } from './Archive.ts'
import type { Observations } from './Observations.ts'
import type { RecordedNode } from './Plan.ts'
import type { Heights } from './PointInTime.ts'

/** Options of a node API that reproduces one recorded node at one point in time. */
export interface NodeApiOptions {
  readonly archive: Archive
  readonly node: RecordedNode
  readonly observations: Observations
  readonly heights: Heights
  /** Time in milliseconds since 1970. */
  readonly now: number
  /** Empty data folder for the node API. */
  readonly folder: string
  /** Folder of the plugins. Plugins may be added while the node API runs. */
  readonly pluginFolder: string
  /** Base URL of the upstream, which serves the requests that the node API cannot serve itself. */
  readonly upstream: string
}

/** A running node API. */
export interface NodeApi {
  readonly port: number
  close(): Promise<void>
}

/** Starts a node API. Tests can pass a substitute. */
export type StartNodeApi = (options: NodeApiOptions) => Promise<NodeApi>
