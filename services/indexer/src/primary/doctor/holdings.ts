import { Bytes, type ChainAlias, Hex, Id, isFirnError } from '@firn/codec'
import { type Snapshot, type Store, Utxos } from '@firn/store'
import type { Facts, Things } from './Facts.ts'
import type { Reference } from './Reference.ts'

/** Maximum total of a balance (64 bits). Larger totals are capped at this value, as in the node. */
const MAX_SUM = 2n ** 64n - 1n
/** Codec type id of an output that its owners can spend. */
const TRANSFER_OUTPUT = 7n
/** Codec type id of a wrapper that allows only staking of the wrapped output until a given time. */
const STAKEABLE_OUTPUT = 22n
/**
 * Sizes in bytes of a UTXO's header fields: codec version, transaction id, output index and asset id. The
 * output comes after the header: its type and amount or, for a wrapper, its type, time and wrapped output.
 */
const HEADER = { version: 2, txID: 32, index: 4, assetID: 32 }
const OUTPUT_AT = HEADER.version + HEADER.txID + HEADER.index + HEADER.assetID
/** Maximum number of UTXOs that one comparison reads from the database. */
const MAX_UTXOS = 100_000

/**
 * Reads the UTXOs of some owners from the database, and returns them keyed by transaction id and output
 * index.
 */
export async function storedUtxos(
  store: Store,
  at: Snapshot,
  { chain, source }: Utxos.Place,
  owners: readonly Uint8Array[],
): Promise<Things> {
  const addresses = owners.toSorted(Bytes.compare)
  const listed = await Utxos.list(store, at, { chain, source, addresses, after: undefined, limit: MAX_UTXOS })
  return utxos(listed.map(({ bytes }) => bytes))
}

/** Decodes UTXOs, keyed by transaction id and output index. */
export function utxos(all: readonly Uint8Array[]): Things {
  return new Map(all.map((bytes) => [utxoName(bytes), utxoFacts(bytes)]))
}

function utxoName(bytes: Uint8Array): string {
  const txId = bytes.subarray(HEADER.version, HEADER.version + HEADER.txID)
  const index = uint(bytes, HEADER.version + HEADER.txID, HEADER.index)
  return `UTXO ${Id.format(txId)}:${index}`
}

/**
 * Returns the amount of a UTXO, and its bytes with the amount replaced by zeros. An output of another type has no
 * amount, so only its bytes are returned.
 */
function utxoFacts(bytes: Uint8Array): Facts {
  const inner = uint(bytes, OUTPUT_AT, 4) === STAKEABLE_OUTPUT ? OUTPUT_AT + 12 : OUTPUT_AT
  if (uint(bytes, inner, 4) !== TRANSFER_OUTPUT) return { content: Hex.encode(bytes) }
  const [start, end] = [inner + 4, inner + 12]
  const rest = Bytes.concat(bytes.subarray(0, start), new Uint8Array(end - start), bytes.subarray(end))
  return { amount: String(uint(bytes, start, end - start)), content: Hex.encode(rest) }
}

function uint(bytes: Uint8Array, from: number, length: number): bigint {
  return bytes.subarray(from, from + length).reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)
}

/**
 * Reads an owner's balances on a chain from the database, and returns them by asset, including locked funds.
 */
export async function storedBalances(
  store: Store,
  at: Snapshot,
  chain: ChainAlias,
  owner: Uint8Array,
): Promise<Things> {
  const sums = new Map<string, bigint>()
  for (const { assetId, amount, outputType } of await Utxos.holdings(store, at, chain, [owner])) {
    if (BigInt(outputType) !== TRANSFER_OUTPUT) continue
    const sum = (sums.get(Id.format(assetId)) ?? 0n) + (amount ?? 0n)
    sums.set(Id.format(assetId), sum > MAX_SUM ? MAX_SUM : sum)
  }
  return balances(sums)
}

/** Returns an address's balances that a node reports, with the same keys as in {@link storedBalances}. */
export async function reportedBalances(
  { platform, avm }: Pick<Reference, 'platform' | 'avm'>,
  chain: 'P' | 'X',
  address: string,
  signal: AbortSignal,
): Promise<Things> {
  if (chain === 'P')
    return balances(
      (await platform.call('platform.getBalance', { addresses: [address] }, { signal })).balances,
    )
  const reported = await avm.call('avm.getAllBalances', { address, includePartial: true }, { signal })
  const sums = new Map<string, bigint>()
  for (const { asset, balance } of reported.balances) {
    const assetId = parseId(asset) ?? (await describe(avm, asset, signal))
    sums.set(Id.format(assetId), balance)
  }
  return balances(sums)
}

/** Returns the id of an asset. In balances, the node returns a name instead of an id for genesis assets. */
async function describe(avm: Reference['avm'], name: string, signal: AbortSignal): Promise<Uint8Array> {
  return (await avm.call('avm.getAssetDescription', { assetID: name }, { signal })).assetID
}

function parseId(text: string): Uint8Array | undefined {
  try {
    return Id.parse(text)
  } catch (error) {
    if (isFirnError(error)) return undefined
    throw error
  }
}

function balances(sums: ReadonlyMap<string, bigint>): Things {
  const held = [...sums].filter(([, sum]) => sum > 0n)
  return new Map(held.map(([asset, sum]) => [`balance of asset ${asset}`, { amount: String(sum) }]))
}
