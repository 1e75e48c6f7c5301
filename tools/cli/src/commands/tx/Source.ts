import { CHAIN_ALIASES, type ChainAlias, CheckedHex, Hex, isFirnError, Json } from '@firn/codec'
import { PrivateKey, PublicKey } from '@firn/keys'
import {
  AtomicUtxo,
  AvmUtxo,
  type Coins,
  Describe,
  PlatformUtxo,
  Signatures,
  Signers,
  Signing,
} from '@firn/txs'
import { Drafts } from '@firn/wallet'
import { CliError } from '../../CliError.ts'
import * as Input from '../../Input.ts'

const UTXOS = { P: PlatformUtxo, X: AvmUtxo, C: AtomicUtxo } as const
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
  const list = /^[[{]/.test(text) ? listOf(Json.parse(text)) : text.trim().split(/\s+/)
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

/** A transaction that an earlier command, a hardware wallet or a custodian printed. */
export interface Given {
  readonly chain: ChainAlias
  /** The encoded transaction, with zeros for missing signatures, or without credentials. */
  readonly bytes: Uint8Array
  /** The draft, if the command also printed the signers. */
  readonly draft?: Signing.Draft
}

/**
 * Reads a transaction: hex, the JSON document of an earlier command, an `issueTx` request, or all lines that
 * a command printed, of which the last one is used. `chain` applies to hex; by default the chain whose structure matches.
 * @throws CliError `CLI_UNRECOGNIZED` with the closest match if hex is not a transaction
 */
export const transaction = (argument: string, chain: ChainAlias | undefined): Given => {
  const lines = Input.text(argument).split('\n')
  const text = (lines.findLast((line) => line.trim() !== '') ?? '').trim()
  if (!text.startsWith('{')) return ofHex(text, chain)
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
  if (ofMethod !== undefined && method === 'issueTx' && typeof tx === 'string') return ofHex(tx, ofMethod)
  throw new CliError('CLI_INPUT', `expected a request of issueTx, got one of ${json.method}`)
}

const ofHex = (text: string, given: ChainAlias | undefined): Given => {
  const bytes = bytesOf(text)
  const chain = (given === undefined ? CHAIN_ALIASES : [given]).find((one) => isOf(one, bytes))
  if (chain !== undefined) return { chain, bytes }
  const own = Describe.STRUCTURES.filter(({ name }) => name.startsWith(given ?? '') && TRANSACTION.test(name))
  throw new CliError(
    'CLI_UNRECOGNIZED',
    `expected a transaction${given === undefined ? '' : ` of the ${given}-chain`}; the closest match is ${Describe.closest(bytes, own)}`,
  )
}

/** Names of the structures that are single transactions. */
const TRANSACTION = /transaction$/

const isOf = (chain: ChainAlias, bytes: Uint8Array): boolean => {
  try {
    Signing.split(chain, bytes)
    return true
  } catch (error) {
    if (isFirnError(error)) return false
    throw error
  }
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
  const { unsignedTx } = Signing.split(chain, bytes)
  // Accounts are named in the transaction. Who else has signed is recovered from the signatures; the key makes the others.
  const places = Signatures.places(chain, bytes)
  const signers = Signers.byOne(chain, unsignedTx, address).map((one, i) => ({
    ...one,
    addresses: one.addresses.map((own, j) => places[i]?.[j]?.expected ?? places[i]?.[j]?.actual ?? own),
  }))
  return Signing.resume(chain, bytes, signers)
}
