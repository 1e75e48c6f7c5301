import { Id } from '@firn/codec'
import { goQuote } from '@firn/http'
import type { GetUtxos, Schema } from '@firn/rpc'
import { Blockchains, type Snapshot, type Utxos } from '@firn/store'
import * as Addresses from '../Addresses.ts'
import type { NodeContext } from '../Context.ts'
import * as ByteText from '../internal/ByteText.ts'
import * as Cb58Text from '../internal/Cb58Text.ts'
import { methodError } from '../Service.ts'
import * as ChainLists from './ChainLists.ts'
import * as Paging from './Paging.ts'

/** Parameters of `getUTXOs`, which are the same on all three chains. */
export type Params = Schema.Infer<(typeof GetUtxos)['params']>
export type Result = Schema.Infer<(typeof GetUtxos)['result']>

/** Maximum number of addresses, and of UTXOs, in one call. */
export const MAX_ADDRESSES = 1024
export const MAX_UTXOS = 1024

/**
 * Implements `getUTXOs` of the P-chain and the X-chain.
 * @param unencodable what the chain's error text calls the encoding `json`, which is not supported for UTXOs
 * @throws RpcError `RPC_REMOTE` with the node's text
 */
export async function answer(
  context: NodeContext,
  chain: 'P' | 'X',
  params: Params,
  unencodable: 'string' | 'json',
): Promise<Result> {
  assertAddresses(params)
  const chainId = ChainLists.idOf(context, chain)
  const at = await context.snapshot()
  const sourceId = params.sourceChain ? await sourceOf(context, at, params.sourceChain) : chainId
  const addresses = Addresses.parseAll(params.addresses ?? [], chainId, context)
  const start = startOf(params, (text) => startAddress(text, chainId, context))
  const source = ChainLists.aliasOf(context, sourceId)
  const lists = ChainLists.of(context, at, chain, source)
  const request = { addresses, start, limit: limitOf(params) }
  const page = await (source === chain ? Paging.native(lists, request) : Paging.atomic(lists, request))
  const { encoding = 'hex' } = params
  const [first] = page.utxos
  if (encoding === 'json' && first !== undefined)
    throw methodError(
      `couldn't encode UTXO ${Id.format(first.id)} as ${unencodable}: unsupported encoding in method`,
    )
  return result(page.utxos, encoding, {
    address: Addresses.format(page.end.address, chainId, context),
    utxo: Id.format(page.end.utxoId),
  })
}

/**
 * Checks the number of addresses.
 * @throws RpcError `RPC_REMOTE` if there are no addresses or too many
 */
export function assertAddresses({ addresses = [] }: Params): void {
  if (addresses.length === 0) throw methodError('no addresses provided')
  if (addresses.length > MAX_ADDRESSES)
    throw methodError(`number of addresses given, ${addresses.length}, exceeds maximum, ${MAX_ADDRESSES}`)
}

/**
 * Returns the id of the chain with the alias `name`.
 * @throws RpcError `RPC_REMOTE` if no chain has this alias
 */
export async function sourceOf(context: NodeContext, at: Snapshot, name: string): Promise<Uint8Array> {
  const id = await findSource(context, at, name)
  if (id !== undefined) return id
  throw methodError(`problem parsing source chainID ${goQuote(name)}: there is no ID with alias: ${name}`)
}

/**
 * Returns the id of a chain by alias, or of any other blockchain of the network by id. Such a blockchain has
 * no exports, so even a node that tracks its subnet returns an empty result.
 */
export async function findSource(
  { chains, store }: Pick<NodeContext, 'chains' | 'store'>,
  at: Snapshot,
  name: string,
): Promise<Uint8Array | undefined> {
  const run = chains.lookup(name)
  if (run !== undefined) return run.id
  const id = Cb58Text.id(name)
  if (typeof id === 'string') return undefined
  return (await Blockchains.byId(store, at, id)) === undefined ? undefined : id
}

/**
 * Returns the requested start of the page, or undefined if the request has none.
 * @throws RpcError `RPC_REMOTE` if the UTXO's id is invalid
 */
export function startOf(
  { startIndex }: Params,
  parseAddress: (text: string) => Uint8Array,
): Paging.Cursor | undefined {
  if (startIndex === undefined || (startIndex.address === '' && startIndex.utxo === '')) return undefined
  const address = parseAddress(startIndex.address)
  const utxoId = Cb58Text.id(startIndex.utxo)
  if (typeof utxoId === 'string') throw methodError(`couldn't parse start index utxo: ${utxoId}`)
  return { address, utxoId }
}

/** Returns the maximum number of UTXOs to return. */
export function limitOf({ limit = 0 }: Params): number {
  return limit === 0 || limit > MAX_UTXOS ? MAX_UTXOS : limit
}

/**
 * Returns the response that contains the given UTXOs.
 * @throws RpcError `RPC_REMOTE` `unsupported encoding in method`
 */
export function result(
  utxos: readonly Utxos.OwnedUtxo[],
  encoding: Schema.Encoding,
  endIndex: Result['endIndex'],
): Result {
  return {
    numFetched: BigInt(utxos.length),
    utxos: utxos.map(({ bytes }) => ByteText.encode(bytes, encoding)),
    endIndex,
    encoding,
  }
}

function startAddress(text: string, chainId: Uint8Array, context: NodeContext): Uint8Array {
  try {
    return Addresses.parse(text, chainId, context)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw methodError(`couldn't parse start index address ${goQuote(text)}: ${reason}`)
  }
}
