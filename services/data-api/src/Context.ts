import type { Genesis, Networks } from '@firn/genesis'
import type { Store } from '@firn/store'
import type { PageTokens } from './front/PageToken.ts'

/** A message that the signature aggregator is asked to sign. */
export interface MessageToSign {
  /** The unsigned Warp message. */
  readonly message: Uint8Array
  /** Empty where the validators know the message themselves. */
  readonly justification: Uint8Array
  readonly signingSubnetID: Uint8Array
  /** The height of the validator set that signs. */
  readonly pchainHeight: bigint
}

/** What every endpoint works with. */
export interface DataContext {
  readonly store: Store
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
  /** What `{network}` may be, the name that answers bear first. */
  readonly networkNames: readonly [string, ...string[]]
  readonly tokens: PageTokens
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** The signature aggregator; undefined where there is none. */
  readonly aggregate: ((wanted: MessageToSign, signal: AbortSignal) => Promise<Uint8Array>) | undefined
}
