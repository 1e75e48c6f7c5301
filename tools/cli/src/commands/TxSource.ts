import { type ChainAlias, CheckedHex, Hex, isFirnError, Json } from '@firn/codec'
import { AtomicUtxo, AvmUtxo, type Coins, PlatformUtxo } from '@firn/txs'
import { CliError } from '../CliError.ts'
import * as Input from '../Input.ts'

const UTXOS = { P: PlatformUtxo, X: AvmUtxo, C: AtomicUtxo } as const
/** Decodes hex from a node (with a checksum) or from a user (without one). */
export const bytesOf = (text: string): Uint8Array => {
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
export const fromFile = (chain: ChainAlias, path: string): Coins.AnyUtxo[] => {
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
