import { Id } from '@firn/codec'
import { goQuote } from '@firn/http'
import type { Snapshot } from '@firn/store'
import * as Addresses from '../Addresses.ts'
import type { NodeContext } from '../Context.ts'
import * as Cb58Text from '../internal/Cb58Text.ts'
import { methodError } from '../Service.ts'
import * as ChainLists from '../utxos/ChainLists.ts'
import * as GetUtxos from '../utxos/GetUtxos.ts'
import * as Paging from '../utxos/Paging.ts'
import * as CAddresses from './CAddresses.ts'

/** The cursor of the last page, which has no next page. */
const TERMINAL: Paging.Cursor = {
  address: new Uint8Array(20).fill(0xff),
  utxoId: new Uint8Array(32).fill(0xff),
}

/**
 * Implements `avax.getUTXOs` of coreth.
 * @throws RpcError `RPC_REMOTE` with coreth's text
 */
export async function coreth(
  context: NodeContext,
  at: Snapshot,
  params: GetUtxos.Params,
): Promise<GetUtxos.Result> {
  GetUtxos.assertAddresses(params)
  const { sourceChain = '', encoding = 'hex' } = params
  if (sourceChain === '') throw methodError('no source chain provided')
  const sourceId = await GetUtxos.sourceOf(context, at, sourceChain)
  const addresses = addressesOf(context, params, 'coreth', "couldn't parse address")
  const start = GetUtxos.startOf(params, (text) =>
    address(context, text, 'coreth', "couldn't parse start index address"),
  )
  const request = { addresses, start, limit: GetUtxos.limitOf(params) }
  const { utxos, end } = await Paging.atomic(listsOf(context, at, sourceId), request)
  if (encoding === 'json' && utxos.length > 0)
    throw methodError('problem encoding utxo: unsupported encoding in method')
  return GetUtxos.result(utxos, encoding, endIndex(context, end))
}

/**
 * Implements `avax.getUTXOs` of the C-chain since Helicon. The cursor in a response is the start of the next
 * page.
 * @throws RpcError `RPC_REMOTE`
 */
export async function saevm(
  context: NodeContext,
  at: Snapshot,
  params: GetUtxos.Params,
): Promise<GetUtxos.Result> {
  const { sourceChain = '', encoding = 'hex' } = params
  const sourceId = await GetUtxos.findSource(context, at, sourceChain)
  if (sourceId === undefined)
    throw methodError(
      `parsing source chainID ${goQuote(sourceChain)}: there is no ID with alias: ${sourceChain}`,
    )
  const given = params.addresses?.length ?? 0
  if (given > GetUtxos.MAX_ADDRESSES)
    throw methodError(`too many addresses: ${given} exceeds ${GetUtxos.MAX_ADDRESSES}`)
  const addresses = addressesOf(context, params, 'saevm', 'parsing address')
  const start = saevmStart(context, params)
  if (start !== undefined && isSame(start, TERMINAL))
    return GetUtxos.result([], encoding, endIndex(context, Paging.BEGIN))
  const request = { addresses, start, limit: GetUtxos.limitOf(params) }
  const { utxos, next = TERMINAL } = await Paging.halfOpen(listsOf(context, at, sourceId), request)
  if (encoding === 'json' && utxos.length > 0)
    throw methodError('encoding utxo: unsupported encoding in method')
  return GetUtxos.result(utxos, encoding, endIndex(context, next))
}

function saevmStart(context: NodeContext, { startIndex }: GetUtxos.Params): Paging.Cursor | undefined {
  if (startIndex === undefined || (startIndex.address === '' && startIndex.utxo === '')) return undefined
  const start = address(context, startIndex.address, 'saevm', 'parsing start address')
  const utxoId = Cb58Text.id(startIndex.utxo)
  if (typeof utxoId === 'string')
    throw methodError(`parsing start utxoID ${goQuote(startIndex.utxo)}: ${utxoId}`)
  return { address: start, utxoId }
}

/**
 * Returns the lists of UTXOs that the source chain exported to the C-chain. They are empty if the source is
 * the C-chain itself, which cannot export to itself.
 */
function listsOf(context: NodeContext, at: Snapshot, sourceId: Uint8Array) {
  const source = ChainLists.aliasOf(context, sourceId)
  return ChainLists.of(context, at, 'C', source === 'C' ? undefined : source)
}

function addressesOf(
  context: NodeContext,
  { addresses = [] }: GetUtxos.Params,
  era: CAddresses.Era,
  problem: string,
): Uint8Array[] {
  const parsed = addresses.map((text) => address(context, text, era, problem))
  const unique = new Map(parsed.map((payload) => [Buffer.from(payload).toString('latin1'), payload]))
  return [...unique.values()]
}

function address(context: NodeContext, text: string, era: CAddresses.Era, problem: string): Uint8Array {
  const parsed = CAddresses.parse(text, era, context)
  if (typeof parsed === 'string') throw methodError(`${problem} ${goQuote(text)}: ${parsed}`)
  return parsed
}

function endIndex(context: NodeContext, { address: payload, utxoId }: Paging.Cursor) {
  const chainId = ChainLists.idOf(context, 'C')
  return { address: Addresses.format(payload, chainId, context), utxo: Id.format(utxoId) }
}

function isSame(a: Paging.Cursor, b: Paging.Cursor): boolean {
  return Buffer.compare(a.address, b.address) === 0 && Buffer.compare(a.utxoId, b.utxoId) === 0
}
