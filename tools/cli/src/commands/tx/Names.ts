import type { OPERATIONS } from '@firn/wallet'

/** Operations that several chains have. Each has one command for all chains. */
type Shared = 'transfer' | 'exportTo' | 'importFrom' | 'consolidate'

/** The operations that only the chain `C` has. */
export type Own<C extends keyof typeof OPERATIONS> = Exclude<keyof (typeof OPERATIONS)[C], Shared>

/** What each command does, by the name of its operation. The command is named `create-subnet` for `createSubnet`. */
export const SUMMARIES: {
  readonly [C in 'P' | 'X']: { readonly [K in Own<C>]: string }
} & { readonly C: { readonly [K in Own<'C'>]: never } } = {
  P: {
    createSubnet: 'create a subnet',
    transferSubnetOwnership: 'transfer a subnet to a new owner',
    createChain: 'create a blockchain on a subnet',
    addSubnetValidator: 'add a validator to a permissioned subnet',
    removeSubnetValidator: 'remove a validator from a permissioned subnet',
    addValidator: 'add a validator to the Primary Network',
    addAutoRenewedValidator: 'add a validator that stakes for consecutive periods',
    setAutoRenewedConfig: 'change or end the renewal of a validator',
    delegate: 'delegate AVAX to a validator',
    convertToL1: 'convert a subnet into an L1',
    registerL1Validator: 'register the L1 validator that a signed message names',
    setL1ValidatorWeight: 'set the weight of an L1 validator, or remove it, as a signed message says',
    increaseBalance: 'add to the balance of an L1 validator',
    disable: 'deactivate an L1 validator and return its balance',
  },
  X: {
    createAsset: 'create an asset',
    mint: 'mint an amount of an asset',
    mintToken: 'mint a token (NFT)',
    transferToken: 'transfer a token (NFT)',
    mintProperty: 'mint a property',
    burnProperty: 'burn a property',
  },
  C: {},
}
