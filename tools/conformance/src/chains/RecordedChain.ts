import type * as Case from '../Case.ts'

/** The files of one recorded chain: what is in each line of them. */
export type Lines = Readonly<Record<string, readonly Case.RawCase[]>>

/** What the checks of a line may need of the others. */
export interface Folder {
  /** The network that the chain is of; 0 where no transaction tells. */
  readonly networkId: number
  /** When the network began to allow several atomic transactions in a block; Unix seconds. */
  readonly apricotPhase5Time: bigint
  readonly lines: Lines
}
