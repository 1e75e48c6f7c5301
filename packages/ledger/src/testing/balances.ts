import { Address, Bytes, type ChainAlias, CheckedHex, Id } from '@firn/codec'
import { AvmUtxo, PlatformUtxo } from '@firn/txs'
import type { LedgerState } from '../LedgerState.ts'
import * as Records from '../Records.ts'

/**
 * Returns the UTXOs of a chain that name one of the addresses. The addresses may have any chain's prefix. For
 * tests only.
 */
export function utxosOf(
  { tables, rules }: LedgerState,
  chain: ChainAlias,
  source: ChainAlias,
  addresses: readonly string[],
): Records.Utxo[] {
  const requested = new Set(addresses.map((text) => text.slice(text.indexOf('-') + 1)))
  const { hrp } = rules.constants
  const isRequested = (payload: Uint8Array) =>
    requested.has(Address.format({ chain: '', hrp, payload }).slice(1))
  return [...tables.utxo.ordered()].filter(
    (item) =>
      item.chain === chain &&
      item.source === source &&
      Records.unlocked(item.utxo.output).addresses.some(isRequested),
  )
}

/** Returns the encoded UTXOs as the node serves them, sorted. */
export function hexOf(utxos: readonly Records.Utxo[]): string[] {
  return utxos.map(({ utxo }) => CheckedHex.encode(encode(utxo))).sort()
}

/** Encodes a UTXO with the codec of a chain that supports its output. */
export function encode(utxo: Records.Utxo['utxo']): Uint8Array {
  return utxo.output.type === 'LockOut'
    ? PlatformUtxo.encode(utxo as PlatformUtxo.PlatformUtxo)
    : AvmUtxo.encode(utxo as AvmUtxo.AvmUtxo)
}

/** Returns the id of a UTXO as a string, in the form that balance responses use. */
export function nameOf({
  txID: txId,
  outputIndex,
}: {
  readonly txID: string
  readonly outputIndex: number
}): string {
  return `${txId}:${outputIndex}`
}

const names = (utxos: readonly Records.Utxo[]) =>
  utxos.map(({ utxo: { txID: txId, outputIndex } }) => nameOf({ txID: Id.format(txId), outputIndex })).sort()

/**
 * Returns the X-chain transfers that count toward an address. If `isPartial`, these are all transfers that
 * name the address. Otherwise, they are the unlocked transfers that the address owns alone.
 */
function countedOf(state: LedgerState, address: string, isPartial: boolean, now: bigint): Records.Utxo[] {
  return utxosOf(state, 'X', 'X', [address]).filter(({ utxo: { output } }) => {
    if (output.type !== 'TransferOutput') return false
    return isPartial || (output.addresses.length === 1 && output.locktime <= now)
  })
}

const sumOf = (utxos: readonly Records.Utxo[]) =>
  utxos.reduce((sum, { utxo: { output } }) => {
    const held = Records.unlocked(output)
    return held.type === 'TransferOutput' ? sum + held.amount : sum
  }, 0n)

/** Returns the response of `avm.getBalance`, with UTXOs as strings. */
export function avmBalance(
  state: LedgerState,
  {
    address,
    assetID: assetId,
    includePartial = false,
  }: { address: string; assetID: string; includePartial?: boolean },
  now: bigint,
) {
  const id = assetId === 'AVAX' ? state.rules.avaxAssetId : Id.parse(assetId)
  const own = countedOf(state, address, includePartial, now).filter(({ utxo }) =>
    Bytes.equals(utxo.assetID, id),
  )
  return { balance: `${sumOf(own)}`, utxoIDs: names(own) }
}

/** Returns the response of `avm.getAllBalances`, sorted by asset. */
export function avmBalances(
  state: LedgerState,
  { address, includePartial = false }: { address: string; includePartial?: boolean },
  now: bigint,
) {
  const counted = countedOf(state, address, includePartial, now)
  const assets = new Set(counted.map(({ utxo }) => Id.format(utxo.assetID)))
  const avax = Id.format(state.rules.avaxAssetId)
  return [...assets]
    .map((asset) => ({
      asset: asset === avax ? 'AVAX' : asset,
      balance: `${sumOf(counted.filter(({ utxo }) => Id.format(utxo.assetID) === asset))}`,
    }))
    .sort((a, b) => (a.asset < b.asset ? -1 : 1))
}

type Kind = 'unlocked' | 'lockedStakeable' | 'lockedNotStakeable'

function kindOf({ utxo: { output } }: Records.Utxo, now: bigint): Kind {
  if (Records.unlocked(output).locktime > now) return 'lockedNotStakeable'
  return output.type === 'LockOut' && output.locktime > now ? 'lockedStakeable' : 'unlocked'
}

/** Returns the response of `platform.getBalance`, with UTXOs as strings. */
export function platformBalance(state: LedgerState, addresses: readonly string[], now: bigint) {
  const own = utxosOf(state, 'P', 'P', addresses)
  const of = (...kinds: Kind[]) => own.filter((item) => kinds.includes(kindOf(item, now)))
  const avax = ({ utxo }: Records.Utxo) => Bytes.equals(utxo.assetID, state.rules.avaxAssetId)
  const kinds = ['unlocked', 'lockedStakeable', 'lockedNotStakeable'] as const
  const totals = kinds.map((kind) => [kind, `${sumOf(of(kind).filter(avax))}`])
  return {
    balance: `${sumOf(own.filter(avax))}`,
    ...Object.fromEntries(totals),
    balances: byAsset(own),
    unlockeds: byAsset(of('unlocked')),
    lockedStakeables: byAsset(of('lockedStakeable')),
    lockedNotStakeables: byAsset(of('lockedNotStakeable')),
    utxoIDs: names(own),
  }
}

function byAsset(utxos: readonly Records.Utxo[]): Record<string, string> {
  const assets = new Set(utxos.map(({ utxo }) => Id.format(utxo.assetID)))
  return Object.fromEntries(
    [...assets].map((asset) => [
      asset,
      `${sumOf(utxos.filter(({ utxo }) => Id.format(utxo.assetID) === asset))}`,
    ]),
  )
}

/** Returns the response of `avm.getAssetDescription`. */
export function description({ tables, rules }: LedgerState, assetId: string) {
  const id = assetId === 'AVAX' ? rules.avaxAssetId : Id.parse(assetId)
  const found = [...tables.asset.ordered()].find((item) => Bytes.equals(item.assetId, id))
  if (found === undefined) return undefined
  const { name, symbol, denomination } = found
  return { assetID: Id.format(found.assetId), name, symbol, denomination: `${denomination}` }
}
