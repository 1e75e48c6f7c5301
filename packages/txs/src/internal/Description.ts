import type { ChainAlias, Json } from '@firn/codec'
import type { AnyUtxo } from '../wallet/Coins.ts'

/** The fields of a described structure. */
export type Members = { readonly [member: string]: Json.Json }

/** Options for describing a structure. */
export interface Options {
  /**
   * Network id for formatting addresses. Default: the network that the structure names, otherwise the local
   * network.
   */
  readonly networkId?: number
  /** The chain whose structures are returned first, because the bytes of a UTXO do not identify its chain. */
  readonly chain?: ChainAlias
  /** UTXOs that a described transaction spends. With them, the names of missing signers are shown. */
  readonly utxos?: readonly AnyUtxo[]
}

/** The content of a decoded structure, ready to print. */
export interface Description {
  readonly members: Members
  /** The node's own JSON of the structure, if it has one. */
  readonly json?: Json.Json
  /**
   * False if a nested structure could not be decoded. Other readings of the same bytes are then more likely.
   */
  readonly isWhole?: boolean
}
