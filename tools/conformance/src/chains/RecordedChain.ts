import type * as Case from '../Case.ts'

/** The lines of a recorded chain, by file name. */
export type Lines = Readonly<Record<string, readonly Case.RawCase[]>>

/** Data from other lines that the check of a line needs. */
export interface Folder {
  /** Network id of the chain; 0 if no transaction contains it. */
  readonly networkId: number
  /** Time in Unix seconds from which a block may contain several atomic transactions. */
  readonly apricotPhase5Time: bigint
  readonly lines: Lines
}
