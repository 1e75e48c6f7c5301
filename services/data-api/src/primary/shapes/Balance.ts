import { type ChainAlias, Hex } from '@firn/codec'
import type { Utxos } from '@firn/store'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { assetMembers, assetNamed } from './AssetAmount.ts'
import type { Surroundings } from './PlatformUtxo.ts'

const total = {
  ...assetMembers,
  amount: Field.units('Total amount'),
  utxoCount: Schema.integer('Number of outputs that hold the amount', 2),
}
const shared = {
  ...total,
  sharedWithChainId: Field.cb58('Blockchain id of the chain that exported the amount'),
}
const totals = (what: string) =>
  Schema.list(
    Schema.object('AggregatedAssetAmount', 'Total amount of an asset over several outputs', total),
    `${what}, one for each asset`,
  )
const sharedTotals = (what: string) =>
  Schema.list(
    Schema.object(
      'SharedAssetBalance',
      'Total amount of an asset in shared memory, from which it can be imported',
      shared,
    ),
    `${what}, one for each asset and exporting chain`,
  )
const platformShared = (what: string) =>
  Schema.list(
    Schema.object('PChainSharedAsset', 'Total amount of an asset that can be imported to the P-chain', {
      ...shared,
      status: Schema.constant('importable', 'The amount is exported to this chain but not imported yet'),
    }),
    `${what}, one for each asset and exporting chain`,
  )

/** Balances of addresses on the P-chain. Unlocked, locked and pending stakes are listed separately. */
export const PlatformBalance = Schema.object(
  'PChainBalance',
  'Balances of addresses on the P-chain. Unlocked, locked and pending stakes are listed separately.',
  {
    unlockedUnstaked: totals('Amounts that can be spent'),
    unlockedStaked: totals('Staked amounts without a lock'),
    lockedPlatform: totals('Amounts that are locked until a time and cannot be staked'),
    lockedStakeable: totals('Amounts that are locked until a time but can be staked'),
    lockedStaked: totals('Staked amounts that are locked after the end of the stake'),
    pendingStaked: totals('Amounts staked for a validation that has not started yet'),
    atomicMemoryUnlocked: platformShared('Amounts in shared memory that can be imported'),
    atomicMemoryLocked: platformShared('Amounts in shared memory that are locked'),
  },
)

/** Balances of addresses on the X-chain. */
export const AvmBalance = Schema.object('XChainBalances', 'Balances of addresses on the X-chain', {
  locked: totals('Amounts that are locked until a time'),
  unlocked: totals('Amounts that can be spent'),
  atomicMemoryUnlocked: sharedTotals('Amounts in shared memory that can be imported'),
  atomicMemoryLocked: sharedTotals('Amounts in shared memory that are locked'),
})

/** Amounts that addresses can import to the C-chain. C-chain account balances are not included. */
export const AtomicBalance = Schema.object(
  'CChainAtomicBalances',
  'Amounts that addresses can import to the C-chain. Balances of C-chain accounts are not included.',
  {
    atomicMemoryUnlocked: sharedTotals('Amounts in shared memory that can be imported'),
    atomicMemoryLocked: sharedTotals('Amounts in shared memory that are locked'),
  },
)

/** Total amount of an asset over several outputs. */
export interface Total {
  readonly assetId: Uint8Array
  readonly isNft: boolean
  readonly amount: bigint
  readonly count: bigint
}

/** Returns the totals per asset in the Data API's format. */
export function assetTotals(sums: readonly Total[], { assets }: Pick<Surroundings, 'assets'>): Body[] {
  const groups = Map.groupBy(sums, ({ assetId, isNft }) => `${Hex.encodeBare(assetId)}${isNft}`)
  return [...groups.values()].map((group) => {
    const [{ assetId: id, isNft }] = group as [Total]
    const { assetId, name, symbol, denomination } = assetNamed(assets, id)
    return {
      assetId,
      name,
      symbol,
      denomination,
      type: isNft ? 'nft' : 'secp256k1',
      amount: String(group.reduce((sum, { amount }) => sum + amount, 0n)),
      utxoCount: group.reduce((sum, { count }) => sum + count, 0n),
    }
  })
}

/** Returns the amounts in shared memory, grouped by the exporting chain. */
export function inSharedMemory(
  chain: ChainAlias,
  sums: readonly Utxos.Balance[],
  around: Pick<Surroundings, 'assets' | 'chainIds'>,
): { readonly atomicMemoryUnlocked: Body[]; readonly atomicMemoryLocked: Body[] } {
  const foreign = Map.groupBy(
    sums.filter(({ source }) => source !== chain),
    ({ source }) => source,
  )
  const status = chain === 'P' ? { status: 'importable' } : {}
  const of = (isLocked: boolean) =>
    [...foreign].flatMap(([source, all]) =>
      assetTotals(
        all.filter(({ lock }) => (lock !== 'none') === isLocked),
        around,
      ).map((one) => ({ ...(one as object), sharedWithChainId: around.chainIds[source], ...status })),
    )
  return { atomicMemoryUnlocked: of(false), atomicMemoryLocked: of(true) }
}
