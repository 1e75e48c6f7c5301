import { Id } from '@firn/codec'
import { Utxos } from '@firn/store'
import * as Addresses from '../Addresses.ts'
import type { NodeContext } from '../Context.ts'
import { methodError } from '../Service.ts'
import * as Amounts from '../utxos/Amounts.ts'
import * as ChainLists from '../utxos/ChainLists.ts'

/** Codec type id of a transfer output, the only output type with an amount. */
const TRANSFER_OUTPUT = 7

/** Parameters of a balance query. `includePartial` also counts shared and locked outputs. */
export interface BalanceParams {
  readonly address: string
  readonly includePartial?: boolean | undefined
}

/**
 * Returns the outputs of an address that can count towards the address's balance, newest first.
 * @throws RpcError `RPC_REMOTE` `problem parsing address '…': …`
 */
export async function holdings(
  context: NodeContext,
  { address, includePartial = false }: BalanceParams,
): Promise<Utxos.Holding[]> {
  const owner = parseAddress(context, address)
  const all = await Utxos.holdings(context.store, await context.snapshot(), 'X', [owner])
  const now = BigInt(Math.floor(context.now() / 1000))
  return all.filter((holding) => counts(holding, now, includePartial))
}

/**
 * Returns whether an output counts towards a balance at the given time (Unix seconds). See {@link
 * BalanceParams} for `includePartial`.
 */
export function counts(
  { outputType, addresses, locktime }: Utxos.Holding,
  now: bigint,
  includePartial: boolean,
): boolean {
  return outputType === TRANSFER_OUTPUT && (includePartial || (addresses === 1 && locktime <= now))
}

/** Returns the sum of the amounts of each asset, capped at the 64-bit maximum. */
export function sums(held: readonly Utxos.Holding[]): Amounts.Amounts {
  const amounts: Amounts.Amounts = new Map()
  for (const { assetId, amount = 0n } of held) Amounts.add(amounts, assetId, amount)
  return amounts
}

/**
 * Returns the sum of outputs of one asset.
 * @throws RpcError `RPC_REMOTE` `overflow` if the sum exceeds 64 bits
 */
export function sumOf(held: readonly Utxos.Holding[]): bigint {
  const sum = held.reduce((total, { amount = 0n }) => total + amount, 0n)
  if (sum > Amounts.MAX) throw methodError('overflow')
  return sum
}

/**
 * Returns the id of an asset, given by its alias or id.
 * @throws RpcError `RPC_REMOTE` `asset '…' not found`
 */
export function assetOf(byName: ReadonlyMap<string, Uint8Array>, name: string): Uint8Array {
  const known = byName.get(name)
  if (known !== undefined) return known
  try {
    return Id.parse(name)
  } catch {
    throw methodError(`asset '${name}' not found`)
  }
}

/** Parses an address. @throws RpcError `RPC_REMOTE` */
export function parseAddress(context: NodeContext, text: string): Uint8Array {
  try {
    return Addresses.parse(text, ChainLists.idOf(context, 'X'), context)
  } catch (cause) {
    throw methodError(`problem parsing address '${text}': ${cause instanceof Error ? cause.message : cause}`)
  }
}
