import type { Json } from '@firn/codec'

/** Named values of a structure. */
export type Members = { readonly [member: string]: Json.Json }

/** Options of a tree. */
export interface Options {
  /** The network for addresses; by default the one that the structure names, otherwise the local one. */
  readonly networkId?: number
  /** The chain whose structures are likelier: the bytes of a UTXO do not identify its chain. */
  readonly chain?: 'P' | 'X' | 'C'
}

/** The description of a structure. */
export interface Description {
  readonly members: Members
  /** The node's own JSON, if any. */
  readonly json?: Json.Json
  /**
   * False when something inside that should be a structure is not: other readings of the bytes are then
   * likelier.
   */
  readonly isWhole?: boolean
}
