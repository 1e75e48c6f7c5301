import { type ChainAlias, CheckedHex, Hex, isFirnError, Json } from '@firn/codec'
import { PrivateKey, PublicKey } from '@firn/keys'
import {
  AtomicTx,
  AtomicUtxo,
  AvmTx,
  AvmUtxo,
  type Coins,
  PlatformTx,
  PlatformUtxo,
  Signers,
  Signing,
} from '@firn/txs'
import { Drafts } from '@firn/wallet'
import { CliError } from '../../CliError.ts'
import * as Input from '../../Input.ts'

const UTXOS = { P: PlatformUtxo, X: AvmUtxo, C: AtomicUtxo } as const
const TXS = { P: PlatformTx, X: AvmTx, C: AtomicTx } as const
const CHAIN_OF_METHOD: Readonly<Record<string, ChainAlias>> = { platform: 'P', avm: 'X', avax: 'C' }

/** Decodes hex from a node (with a checksum) or from a user (without one). */
const bytesOf = (text: string): Uint8Array => {
  const hex = text.startsWith('0x') ? text : `0x${text}`
  try {
    return CheckedHex.decode(hex)
  } catch (error) {
    if (!isFirnError(error)) throw error
    return Hex.decode(hex as `0x${string}`)
  }
}

/**
 * Reads UTXOs from a file or standard input: hex, one per line or in a JSON list, or the response of a node.
 */
export const utxos = (chain: ChainAlias, path: string): Coins.AnyUtxo[] => {
  const text = path === '-' ? Input.text(path) : Input.file(path)
  const list = /^[[{]/.test(text) ? listOf(Json.parse(text)) : text.split(/\s+/)
  return list.map((item) => UTXOS[chain].decode(bytesOf(item)))
}

const listOf = (json: Json.Json): readonly string[] => {
  const answer = json as { readonly result?: { readonly utxos?: Json.Json }; readonly utxos?: Json.Json }
  const list = answer.result?.utxos ?? answer.utxos ?? json
  if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list
  throw new CliError(
    'CLI_INPUT',
    'expected a JSON list of UTXOs in hex, or a node\'s response with the member "utxos"',
  )
}

/** A transaction that an earlier command printed. */
export interface Given {
  readonly chain: ChainAlias
  /** The encoded transaction, with zeros for missing signatures. */
  readonly bytes: Uint8Array
  /** The draft, if the command also printed the signers. */
  readonly draft?: Signing.Draft
}

/**
 * Reads a transaction: hex, the JSON document of an earlier command, an `issueTx` request, or all lines that
 * a command printed, of which the last one is used. `chain` is that of hex.
 */
export const transaction = (argument: string, chain: ChainAlias): Given => {
  const lines = Input.text(argument).split('\n')
  const text = (lines.findLast((line) => line.trim() !== '') ?? '').trim()
  if (!text.startsWith('{')) return { chain, bytes: bytesOf(text) }
  const json = Json.parse(text) as {
    readonly method?: Json.Json
    readonly params?: { readonly tx?: Json.Json }
  }
  if (typeof json.method !== 'string') {
    const draft = Drafts.fromJson(json)
    return { chain: draft.chain, bytes: Signing.encodePartial(draft), draft }
  }
  const [api = '', method] = json.method.split('.')
  const ofMethod = CHAIN_OF_METHOD[api]
  const tx = json.params?.tx
  if (ofMethod !== undefined && method === 'issueTx' && typeof tx === 'string')
    return { chain: ofMethod, bytes: bytesOf(tx) }
  throw new CliError('CLI_INPUT', `expected a request of issueTx, got one of ${json.method}`)
}

/** Returns the draft of a transaction to sign. Without its UTXOs, the only key must make all signatures. */
export const draft = (given: Given, keys: readonly Uint8Array[], path: string | undefined): Signing.Draft => {
  const { chain, bytes } = given
  if (given.draft !== undefined) return given.draft
  if (path !== undefined) return Signing.decode(chain, bytes, { utxos: utxos(chain, path) })
  const [key, ...others] = keys
  if (key === undefined || others.length > 0)
    throw new CliError(
      'CLI_USAGE',
      'pass --utxos <file> to assign the inputs to the keys, or use a single key',
    )
  const address = PublicKey.address(PrivateKey.publicKey(key))
  return Signing.resume(chain, bytes, Signers.byOne(chain, unsigned(chain, bytes), address))
}

/** Decodes the transaction without its signatures. */
export const unsigned = <C extends ChainAlias>(chain: C, tx: Uint8Array): Signers.UnsignedTxs[C] =>
  TXS[chain].decode(tx).unsignedTx as Signers.UnsignedTxs[C]
