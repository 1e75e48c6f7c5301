import type { Json } from '@firn/codec'

/** Named values of a structure. */
export type Members = { readonly [member: string]: Json.Json }

/** What a tree may be told. */
export interface Options {
  /** Whose addresses to write; by default the network that the structure itself names, else the local one. */
  readonly networkId?: number
  /** The chain whose structures are the likelier: the bytes of a UTXO don't tell whose it is. */
  readonly chain?: 'P' | 'X' | 'C'
}

/** What a structure says of itself. */
export interface Description {
  readonly members: Members
  /** The node's own JSON, where it has one. */
  readonly json?: Json.Json
  /** False when something inside, which should be a structure, isn't one: other readings of the bytes are likelier then. */
  readonly isWhole?: boolean
}
