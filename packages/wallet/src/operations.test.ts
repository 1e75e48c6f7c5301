import type * as Txs from '@firn/txs'
import type { AvmTx, Signing } from '@firn/txs'
import { describe, expect, test } from 'vitest'
import { OPERATIONS } from './index.ts'

type Table = typeof OPERATIONS

/** Names of the functions of a module of `@firn/txs` that build a transaction or a part of one. */
type Builders<Module> = {
  [K in keyof Module]: Module[K] extends (...given: never[]) => Signing.Draft | AvmTx.Operation ? K : never
}[keyof Module]

/** Why a builder has no operation. */
interface Refused {
  readonly refusedSince: string
}

/** The operation for each builder. A builder without an operation does not compile. */
const OPERATION_OF: {
  readonly P: {
    readonly [K in Builders<typeof Txs.PlatformBuilder & typeof Txs.StakingBuilder & typeof Txs.L1Builder>]:
      | keyof Table['P']
      | Refused
  }
  readonly X: {
    readonly [K in Builders<typeof Txs.AvmBuilder & typeof Txs.Operations>]:
      | keyof Table['X']
      | readonly (keyof Table['X'])[]
  }
  readonly C: { readonly [K in Builders<typeof Txs.AtomicBuilder>]: keyof Table['C'] }
} = {
  P: {
    transfer: 'transfer',
    importFrom: 'importFrom',
    exportTo: 'exportTo',
    consolidate: 'consolidate',
    createSubnet: 'createSubnet',
    createChain: 'createChain',
    addSubnetValidator: 'addSubnetValidator',
    removeSubnetValidator: 'removeSubnetValidator',
    transformSubnet: { refusedSince: 'Etna' },
    transferSubnetOwnership: 'transferSubnetOwnership',
    addPermissionlessValidator: 'addValidator',
    addPermissionlessDelegator: 'delegate',
    addValidator: { refusedSince: 'Durango' },
    addDelegator: { refusedSince: 'Durango' },
    addAutoRenewedValidator: 'addAutoRenewedValidator',
    setAutoRenewedValidatorConfig: 'setAutoRenewedConfig',
    convertSubnetToL1: 'convertToL1',
    registerL1Validator: 'registerL1Validator',
    setL1ValidatorWeight: 'setL1ValidatorWeight',
    increaseL1ValidatorBalance: 'increaseBalance',
    disableL1Validator: 'disable',
  },
  X: {
    transfer: 'transfer',
    importFrom: 'importFrom',
    exportTo: 'exportTo',
    consolidate: 'consolidate',
    createAsset: 'createAsset',
    operate: ['mint', 'mintToken', 'transferToken', 'mintProperty', 'burnProperty'],
    mint: 'mint',
    mintNft: 'mintToken',
    transferNft: 'transferToken',
    mintProperty: 'mintProperty',
    burnProperty: 'burnProperty',
  },
  C: { importFrom: 'importFrom', exportTo: 'exportTo' },
}

describe('OPERATIONS', () => {
  test.each(['P', 'X', 'C'] as const)('has no operation of the %s-chain without a builder', (chain) => {
    const used = Object.values(OPERATION_OF[chain]).flatMap((one) =>
      typeof one === 'object' && 'refusedSince' in one ? [] : one,
    )
    expect([...new Set(used)].toSorted()).toEqual(Object.keys(OPERATIONS[chain]).toSorted())
  })
})
