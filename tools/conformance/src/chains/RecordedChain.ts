import type * as Case from '../Case.ts'

/** The files of one recorded chain, with the contents of each line. */
export type Lines = Readonly<Record<string, readonly Case.RawCase[]>>

/** Data of the other lines that the checks of a line need. */
export interface Folder {
  /** The network id of the chain; 0 if no transaction contains it. */
  readonly networkId: number
  /** Activation time of several atomic transactions per block, in Unix seconds. */
  readonly apricotPhase5Time: bigint
  readonly lines: Lines
}
