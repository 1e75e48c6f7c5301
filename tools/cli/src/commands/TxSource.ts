import { Address, type ChainAlias, CheckedHex, Hex, isFirnError, Json } from '@firn/codec'
import { createClient, InfoMethods, Schema } from '@firn/rpc'
import { AtomicUtxo, AvmUtxo, type Coins, PlatformUtxo } from '@firn/txs'
import { CliError } from '../CliError.ts'
import * as Input from '../Input.ts'

const UTXOS = { P: PlatformUtxo, X: AvmUtxo, C: AtomicUtxo } as const
const METHODS = { P: 'platform.getUTXOs', X: 'avm.getUTXOs', C: 'avax.getUTXOs' } as const
const PATHS = { P: '/ext/bc/P', X: '/ext/bc/X', C: '/ext/bc/C/avax' } as const

/** Maximum number of UTXOs in one response of a node. */
const PAGE = 1024

const utxosMethod = {
  params: Schema.struct({
    addresses: Schema.array(Schema.string),
    limit: Schema.u32,
    sourceChain: Schema.optional(Schema.string),
    startIndex: Schema.optional(Schema.struct({ address: Schema.string, utxo: Schema.string })),
    encoding: Schema.string,
  }),
  result: Schema.struct({
    numFetched: Schema.u32,
    utxos: Schema.array(Schema.string),
    endIndex: Schema.struct({ address: Schema.string, utxo: Schema.string }),
  }),
} as const

const METHOD_TABLE = {
  'platform.getUTXOs': utxosMethod,
  'avm.getUTXOs': utxosMethod,
  'avax.getUTXOs': utxosMethod,
  'platform.getFeeState': {
    params: Schema.struct({}),
    result: Schema.struct({ price: Schema.bigInteger }),
  },
  eth_baseFee: { params: Schema.array(Schema.string), result: Schema.string },
  eth_getBalance: { params: Schema.array(Schema.string), result: Schema.string },
  eth_getTransactionCount: { params: Schema.array(Schema.string), result: Schema.string },
} as const

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

/** Returns a client of a node. The signal aborts every request. */
export const node = (url: string, signal: AbortSignal) => {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CliError('CLI_INPUT', `--upstream: expected a URL such as http://127.0.0.1:9650, got ${url}`)
  const root = url.replace(/\/+$/, '')
  const options = { signal }
  const client = (path: string) => createClient(METHOD_TABLE, { url: root + path })
  const info = createClient(InfoMethods, { url: `${root}/ext/info` })
  const quantity = async (
    method: 'eth_baseFee' | 'eth_getBalance' | 'eth_getTransactionCount',
    ...params: readonly string[]
  ) => BigInt(await client('/ext/bc/C/rpc').call(method, params, options))
  return {
    networkID: async () => (await info.call('info.getNetworkID', {}, options)).networkID,
    blockchainID: async (alias: string) =>
      (await info.call('info.getBlockchainID', { alias }, options)).blockchainID,
    gasPrice: async () => (await client(PATHS.P).call('platform.getFeeState', {}, options)).price,
    baseFee: () => quantity('eth_baseFee'),
    balance: (address: string) => quantity('eth_getBalance', address, 'latest'),
    nonce: (address: string) => quantity('eth_getTransactionCount', address, 'latest'),

    /**
     * Returns all UTXOs that the addresses own on a chain. With `source`, returns the UTXOs that were
     * exported from `source` to the chain instead.
     */
    async utxos(chain: ChainAlias, hrp: string, addresses: readonly Uint8Array[], source?: ChainAlias) {
      const names = addresses.map((payload) => Address.format({ chain, hrp, payload }))
      const found = new Set<string>()
      let startIndex: { readonly address: string; readonly utxo: string } | undefined
      for (;;) {
        const params = { addresses: names, limit: PAGE, encoding: 'hex' }
        const page = await client(PATHS[chain]).call(
          METHODS[chain],
          { ...params, ...(source && { sourceChain: source }), ...(startIndex && { startIndex }) },
          options,
        )
        for (const utxo of page.utxos) found.add(utxo)
        if (page.numFetched < PAGE) return [...found].map((utxo) => UTXOS[chain].decode(bytesOf(utxo)))
        startIndex = page.endIndex
      }
    },
  }
}

/** A client of a node, as returned by {@link node}. */
export type Node = ReturnType<typeof node>
