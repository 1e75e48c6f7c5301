import { type ChainAlias, Hex } from '@firn/codec'
import type { Utxos } from '@firn/store'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'
import { assetNamed } from './AssetAmount.ts'
import type { Surroundings } from './PlatformUtxo.ts'

const total = {
  assetId: Type.String(),
  name: Type.String(),
  symbol: Type.String(),
  denomination: Type.Number(),
  type: Type.Enum(['secp256k1', 'nft']),
  amount: Type.String(),
  utxoCount: Type.Number(),
}
const shared = {
  ...total,
  sharedWithChainId: Type.String({ description: 'the chain that exported the amount' }),
}
const totals = Type.Array(Type.Object(total))
const sharedTotals = Type.Array(Type.Object(shared))
const platformShared = Type.Array(
  Type.Object({
    ...shared,
    status: Type.Literal('importable', { description: 'exported to this chain but not imported yet' }),
  }),
)

/** Balances of addresses on the P-chain. Unlocked, locked and pending stakes are listed separately. */
export const PlatformBalance = Type.Object({
  unlockedUnstaked: totals,
  unlockedStaked: totals,
  lockedPlatform: totals,
  lockedStakeable: totals,
  lockedStaked: totals,
  pendingStaked: totals,
  atomicMemoryUnlocked: platformShared,
  atomicMemoryLocked: platformShared,
})

/** Balances of addresses on the X-chain. */
export const AvmBalance = Type.Object({
  locked: totals,
  unlocked: totals,
  atomicMemoryUnlocked: sharedTotals,
  atomicMemoryLocked: sharedTotals,
})

/** Amounts that addresses can import to the C-chain. C-chain account balances are not included. */
export const AtomicBalance = Type.Object({
  atomicMemoryUnlocked: sharedTotals,
  atomicMemoryLocked: sharedTotals,
})

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
