import type { ChainAlias } from '@firn/codec'
import type { Networks } from '@firn/genesis'
import * as Records from '../Records.ts'
import type { Layout, Readable } from './Table.ts'

/** Tables of a state, with read access. */
export type Tables = { readonly [Name in Records.TableName]: Readable<Records.Records[Name]> }

/** Fixed parameters of a network. */
export interface Rules {
  readonly constants: Networks.Constants
  readonly avaxAssetId: Uint8Array
  /** Blockchain id of each chain. */
  readonly chainIds: Readonly<Record<ChainAlias, Uint8Array>>
  /**
   * Whether blocks of the C-chain are applied. If not, imports from the C-chain are applied without their inputs, which
   * are not known: that the network accepted the import is the only evidence that they exist and are unspent.
   */
  readonly followsCChain: boolean
  /** As `followsCChain`, for the X-chain. */
  readonly followsXChain: boolean
}

const { KEYS } = Records
const plain = <T>(keyOf: (record: T) => string): Layout<T> => ({
  keyOf,
  compare: undefined,
  secondOf: undefined,
})

/** Layout of each table. */
export const LAYOUTS: { readonly [Name in Records.TableName]: Layout<Records.Records[Name]> } = {
  utxo: plain(KEYS.utxo),
  // A validator's secondary key is the key of its member in the validator set.
  staker: {
    keyOf: KEYS.staker,
    compare: Records.compareStakers,
    secondOf: ({ role, subnetId, nodeId }) =>
      role === 'validator' ? Records.memberKey(subnetId, nodeId) : undefined,
  },
  subnet: plain(KEYS.subnet),
  chain: plain(KEYS.chain),
  supply: plain(KEYS.supply),
  l1Validator: {
    keyOf: KEYS.l1Validator,
    compare: Records.compareL1Validators,
    secondOf: ({ subnetId, nodeId }) => Records.memberKey(subnetId, nodeId),
  },
  expiry: { keyOf: KEYS.expiry, compare: Records.compareExpiries, secondOf: undefined },
  member: plain(KEYS.member),
  asset: plain(KEYS.asset),
  tip: plain(KEYS.tip),
}

/** Names of all tables. */
export const NAMES = Object.keys(LAYOUTS) as Records.TableName[]
