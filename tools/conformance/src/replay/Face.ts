import type { Archive } from './Archive.ts'
import type { Heights } from './Moments.ts'
import type { RecordedNode } from './Plan.ts'
import type { Witness } from './Witness.ts'

/** What stands in for one recorded node at one time. */
export interface FaceOptions {
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
export interface Face {
  readonly port: number
  close(): Promise<void>
}

/** Starts a face; the runner of recordings gives the real one. */
export type StartFace = (options: FaceOptions) => Promise<Face>
