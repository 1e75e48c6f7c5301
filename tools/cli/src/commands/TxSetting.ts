import { Address, CHAIN_ALIASES, type ChainAlias, Id, Network } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { PrivateKey, PublicKey } from '@firn/keys'
import type { Terminal } from '@firn/options'
import { type AtomicBuilder, type AvmBuilder, type Coins, type PlatformBuilder, Wallet } from '@firn/txs'
import { createNode, type Node } from '@firn/wallet'
import { CliError } from '../CliError.ts'
import * as Input from '../Input.ts'
import * as Avax from './Avax.ts'
import * as KeyCommands from './KeyCommands.ts'
import * as TxSource from './TxSource.ts'

/** Options that all subcommands have in common. */
export type Options = {
  readonly network?: number | undefined
  readonly chain: ChainAlias
  readonly upstream?: string | undefined
  readonly utxos?: string | undefined
  readonly exported?: string | undefined
  readonly keys?: string | undefined
  readonly from?: readonly string[] | undefined
  readonly change?: string | undefined
  readonly time?: bigint | undefined
  readonly gasPrice?: bigint | undefined
  readonly baseFee?: bigint | undefined
  readonly balance?: bigint | undefined
  readonly nonce?: bigint | undefined
  readonly avaxAsset?: string | undefined
  readonly xChain?: string | undefined
  readonly cChain?: string | undefined
  readonly json?: boolean | undefined
  /** Whether to issue the transaction and wait until it is accepted. */
  readonly send?: boolean | undefined
}

/** The resolved options of one command. */
export interface Setting {
  readonly options: Options
  readonly node: Node | undefined
  /** Aborts requests. */
  readonly signal: AbortSignal
  readonly network: Networks.Constants
  readonly keys: readonly Uint8Array[]
  readonly wallet: Omit<Wallet.Wallet, 'utxos'>
}

/** Factor that is applied to the minimum price of gas if there is no node, and to the base fee. */
const BID = 2n

/**
 * Reads private keys from a file or standard input, one per line, as `PrivateKey-…` or 64 hex digits. Keys
 * are never arguments, and errors never contain the input.
 * @throws CliError `CLI_INPUT`
 */
export const keysOf = (path: string | undefined): Uint8Array[] => {
  if (path === undefined) return []
  return textOfKeys(path)
    .split(/\s+/)
    .map((line, index) => KeyCommands.parseKey(line, `key ${index + 1} of --keys`))
}

const textOfKeys = (path: string): string => {
  try {
    return path === '-' ? Input.text('-') : Input.file(path)
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    throw new CliError('CLI_INPUT', 'pass --keys with the name of a file, or - for standard input')
  }
}

/**
 * Returns a client of the node at a URL.
 * @throws CliError `CLI_INPUT` if the URL is not one of HTTP
 */
export const nodeOf = (url: string): Node => {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return createNode({ url })
  throw new CliError('CLI_INPUT', `--upstream: expected a URL such as http://127.0.0.1:9650, got ${url}`)
}

/** Resolves the options of a command to keys, network, signers and node. */
export const settingOf = async (options: Options, terminal: Terminal): Promise<Setting> => {
  const { signal } = terminal
  const node = options.upstream === undefined ? undefined : nodeOf(options.upstream)
  const networkId = options.network ?? (await node?.networkId(signal)) ?? Network.MAINNET
  const network = Networks.of(networkId)
  const keys = keysOf(options.keys)
  const own = keys.map((key) => PublicKey.address(PrivateKey.publicKey(key)))
  const addresses = options.from?.map((text) => payloadOf(text, network)) ?? own
  if (addresses.length === 0)
    throw new CliError('CLI_INPUT', 'pass --keys <file> or --from <address…> to name the signers')
  const asset = options.avaxAsset === undefined ? network.ids?.avaxAssetId : Id.parse(options.avaxAsset)
  const wallet = {
    networkId: network.networkId,
    avaxAssetId: asset ?? (await node?.network(signal))?.avaxAssetId ?? missing('--avax-asset', network),
    addresses,
    time: options.time ?? BigInt(Math.floor(Date.now() / 1000)),
    ...(options.change && { changeOwners: Wallet.soleOwner(payloadOf(options.change, network)) }),
  }
  return { options, node, signal, network, keys, wallet }
}

const missing = (option: string, { name }: Networks.Constants): never => {
  throw new CliError('CLI_INPUT', `pass ${option}, because its value is not known for the network ${name}`)
}

/** Parses an address and returns its 20 bytes. The address must belong to the network. */
export const payloadOf = (text: string, { hrp, name }: Networks.Constants): Uint8Array => {
  const address = Address.parse(text.includes('-') ? text : `P-${text}`)
  if (address.hrp === hrp) return Address.parseBytes(text)
  throw new CliError('CLI_INPUT', `expected an address of ${name} (${hrp}1…), got ${text}`)
}

/** Returns whether a text is the alias of a chain. */
export const isChain = (text: string): text is ChainAlias => CHAIN_ALIASES.some((alias) => alias === text)

/** Parses arguments such as `address=amount`, and returns the payments and the chain of the addresses. */
export const paymentsOf = (
  texts: readonly string[],
  { network, wallet }: Setting,
): { readonly chain: ChainAlias; readonly payments: readonly Wallet.Payment[] } => {
  const payments = texts.map((text) => {
    const [address = '', sum = '', ...rest] = text.split('=')
    const chain = address.split('-')[0] ?? ''
    if (rest.length > 0 || !isChain(chain) || sum === '')
      throw new CliError('CLI_INPUT', `expected a payment such as P-${network.hrp}1…=1.5, got ${text}`)
    const owners = Wallet.soleOwner(payloadOf(address, network))
    return { chain, assetID: wallet.avaxAssetId, amount: Avax.parse(sum), owners }
  })
  const [first] = payments
  if (first !== undefined && payments.every(({ chain }) => chain === first.chain)) {
    return { chain: first.chain, payments: payments.map(({ chain: _, ...payment }) => payment) }
  }
  const chains = [...new Set(payments.map(({ chain }) => chain))].join(' and ')
  throw new CliError(
    'CLI_INPUT',
    `expected payments to addresses of one chain, got ${chains || 'no payments'}`,
  )
}

const utxosOf = async (
  { options, node, signal, wallet }: Setting,
  chain: ChainAlias,
): Promise<readonly Coins.AnyUtxo[]> => {
  if (options.utxos !== undefined) return TxSource.fromFile(chain, options.utxos)
  if (node !== undefined) return node.utxos(chain, wallet.addresses, undefined, signal)
  throw new CliError('CLI_INPUT', 'pass --utxos <file> or --upstream <url> to provide the UTXOs')
}

/** Returns the UTXOs that another chain has exported, from a file or a node. */
export const exportedOf = async (
  { options, node, signal, wallet }: Setting,
  chain: ChainAlias,
  source: ChainAlias,
): Promise<readonly Coins.AnyUtxo[]> => {
  if (options.exported !== undefined) return TxSource.fromFile(chain, options.exported)
  if (node !== undefined) return node.utxos(chain, wallet.addresses, source, signal)
  throw new CliError('CLI_INPUT', 'pass --exported <file> or --upstream <url> to provide the exported UTXOs')
}

/** Returns a chain's id, from the options, the network's constants or a node. */
export const chainId = async (
  { options, node, signal, network }: Setting,
  chain: ChainAlias,
): Promise<Uint8Array> => {
  if (chain === 'P') return Networks.PRIMARY_NETWORK_ID
  const given = chain === 'X' ? options.xChain : options.cChain
  if (given !== undefined) return Id.parse(given)
  const known = chain === 'X' ? network.ids?.xChainId : network.ids?.cChainId
  if (known !== undefined) return known
  return node === undefined
    ? missing(chain === 'X' ? '--x-chain' : '--c-chain', network)
    : (await node.network(signal)).blockchainIds[chain]
}

/** Returns the wallet for P-chain transactions. */
export const platformWallet = async (setting: Setting): Promise<PlatformBuilder.PlatformWallet> => {
  const { options, node, wallet } = setting
  // An import needs no UTXOs of the destination chain if the imported funds cover the fee.
  const needed = options.utxos !== undefined || node !== undefined || options.exported === undefined
  const utxos = needed ? await utxosOf(setting, 'P') : []
  return { ...wallet, fees: await platformFees(setting), utxos }
}

const platformFees = async ({ options, node, signal, network }: Setting): Promise<PlatformBuilder.Fees> => {
  const { weights, minPrice } = network.dynamicFee
  if (options.gasPrice !== undefined) return { weights, gasPrice: options.gasPrice }
  return node === undefined ? { weights, gasPrice: BID * minPrice } : node.platformFees(signal)
}

/** Returns the wallet for X-chain transactions. */
export const avmWallet = async (setting: Setting): Promise<AvmBuilder.AvmWallet> => {
  const { options, node, network, wallet } = setting
  const fees = { tx: network.txFee, createAsset: network.createAssetTxFee }
  const needed = options.utxos !== undefined || node !== undefined || options.exported === undefined
  const utxos = needed ? await utxosOf(setting, 'X') : []
  return { ...wallet, fees, blockchainId: await chainId(setting, 'X'), utxos }
}

/** Returns the wallet for atomic transactions of the C-chain. */
export const atomicWallet = async (
  setting: Setting,
  utxos: readonly Coins.AnyUtxo[],
): Promise<AtomicBuilder.AtomicWallet> => {
  const { options, node, signal, wallet } = setting
  const baseFee = options.baseFee ?? (await node?.baseFee(signal))
  if (baseFee === undefined)
    throw new CliError('CLI_INPUT', 'pass --base-fee <wei> or --upstream <url> to provide the base fee')
  return { ...wallet, baseFee, blockchainId: await chainId(setting, 'C'), utxos }
}
